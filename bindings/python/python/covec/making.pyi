"""What is made of a corpus: tensors, models, replicates; and worlds of known truth."""

# Written by stubs.py.

import os
import pathlib
from typing import Any

from ._folder import Folder
from .model import Levels, Model

Many = Any


class Tensor(Folder):
    def collocates(
        self,
        *word: str,
        in_: Levels = None,
        n: int | None = 10,
        frame: str = 'pandas',
        quiet: bool | None = None,
        min_count: int = 5,
        above: float | None = None,
        caution: float = 3,
    ) -> Any: ...

class Replicates(Folder):
    ...

def count(
    data: Any,
    text: str = 'text',
    by: Many = None,
    *,
    output: Any = None,
    quiet: bool | None = None,
    order: Many | None = None,
    id: str | None = None,
    input_format: str | None = None,
    tokens: str = 'words',
    keep_case: bool = False,
    missing: str = 'refuse',
    invalid_utf8: str = 'refuse',
    max_document: str = '64M',
    min_level_tokens: int = 0,
    words: str | os.PathLike[str] | None = None,
    min_count: int | None = None,
    min_documents: int = 1,
    min_level_count: Many | None = None,
    drop_top: int = 0,
    max_words: int | None = None,
    window: int = 8,
    weights: str = 'inverse',
    gaps: str = 'keep',
    min_entry: float | None = None,
    threads: int | None = None,
    memory: str = '4G',
    force: bool = False,
) -> Tensor: ...

def train(
    tensor: Any,
    *,
    output: Any = None,
    quiet: bool | None = None,
    dim: int = 100,
    solver: str = 'blocks',
    seed: int = 1,
    seeds: int = 1,
    sweeps: int = 40,
    tolerance: float = 0.01,
    x_max: float = 100,
    alpha: float = 0.75,
    diagonal: str = 'drop',
    ridge: float | str = 'auto',
    ridge_weights: float = 40,
    tie: float = 100,
    start: str = 'ones',
    axes: int = 2,
    held_out: float = 0.02,
    deviations: bool | str = 'on',
    min_support: int = 20,
    learning_rate: float | str = 'auto',
    threads: int | None = None,
    memory: str = '4G',
    force: bool = False,
    checkpoint: float = 1,
    resume: bool = False,
) -> Model: ...

def fit(
    data: Any,
    text: str = 'text',
    by: Many = None,
    *,
    output: Any = None,
    keep_tensor: Any = None,
    quiet: bool | None = None,
    order: Many | None = None,
    id: str | None = None,
    input_format: str | None = None,
    tokens: str = 'words',
    keep_case: bool = False,
    missing: str = 'refuse',
    invalid_utf8: str = 'refuse',
    max_document: str = '64M',
    min_level_tokens: int = 0,
    words: str | os.PathLike[str] | None = None,
    min_count: int | None = None,
    min_documents: int = 1,
    min_level_count: Many | None = None,
    drop_top: int = 0,
    max_words: int | None = None,
    window: int = 8,
    weights: str = 'inverse',
    gaps: str = 'keep',
    min_entry: float | None = None,
    dim: int = 100,
    solver: str = 'blocks',
    seed: int = 1,
    seeds: int = 1,
    sweeps: int = 40,
    tolerance: float = 0.01,
    x_max: float = 100,
    alpha: float = 0.75,
    diagonal: str = 'drop',
    ridge: float | str = 'auto',
    ridge_weights: float = 40,
    tie: float = 100,
    start: str = 'ones',
    axes: int = 2,
    held_out: float = 0.02,
    deviations: bool | str = 'on',
    min_support: int = 20,
    learning_rate: float | str = 'auto',
    threads: int | None = None,
    memory: str = '4G',
    force: bool = False,
    checkpoint: float = 1,
    resume: bool = False,
) -> Model: ...

def extend(
    model: Any,
    data: Any,
    *,
    output: Any = None,
    quiet: bool | None = None,
    threads: int | None = None,
    memory: str = '4G',
    force: bool = False,
) -> Model: ...

def bootstrap(
    data: Any,
    model: Any,
    B: int = 100,
    *,
    replicates: tuple[int, int] | None = None,
    output: Any = None,
    quiet: bool | None = None,
    unit: Many | None = None,
    within: str = 'levels',
    sweeps: int = 2,
    seed: int = 1,
    threads: int | None = None,
    memory: str = '4G',
    force: bool = False,
) -> Replicates: ...

def permute(
    data: Any,
    model: Any,
    B: int = 200,
    *,
    replicates: tuple[int, int] | None = None,
    output: Any = None,
    quiet: bool | None = None,
    unit: Many | None = None,
    factor: str | None = None,
    within: Many | None = None,
    sweeps: int = 2,
    seed: int = 1,
    threads: int | None = None,
    memory: str = '4G',
    force: bool = False,
) -> Replicates: ...

def merge(
    *parts: Any,
    output: Any = None,
    quiet: bool | None = None,
    threads: int | None = None,
    memory: str = '4G',
    force: bool = False,
) -> Folder: ...

def import_counts(
    *counts: Any,
    output: Any = None,
    quiet: bool | None = None,
    row: str = 'row',
    col: str = 'col',
    value: str = 'value',
    by: Many | None = None,
    order: Many | None = None,
    layout: str = 'auto',
    input_format: str | None = None,
    min_entry: float = 0,
    threads: int | None = None,
    memory: str = '4G',
    force: bool = False,
) -> Tensor: ...

def synth(
    output: Any,
    *,
    truth: Any = None,
    quiet: bool | None = None,
    seed: int = 1,
    tokens: int = 2000000,
    words: int = 5000,
    levels: str = 4,
    dim: int = 20,
    document_words: int = 50,
    zeros: float = 0.15,
    differing: int = 20,
    strength: float = 1,
    zipf: float = 1,
    shares: str = 'equal',
    tensor: bool = False,
    noise: str | None = None,
    density: float = 1,
    scale: float = 1000000.0,
    threads: int | None = None,
    memory: str = '4G',
    force: bool = False,
) -> pathlib.Path: ...
