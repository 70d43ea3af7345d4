//! What can be asked, for programs: an OpenAPI document, made from the same tables that requests are read by.

use serde_json::{Map, Value, json};

use super::parameters::{Kind, LONGEST, MOST_LEVELS, Parameter};
use super::reply::Format;
use super::{LONGEST_TEXT, PREFIX};
use crate::questions::{ALL, Question};

/// The document.
pub(crate) fn document() -> String {
    let mut paths = Map::new();
    for question in ALL {
        let method = if question.takes_text { "post" } else { "get" };
        paths.insert(format!("/{}", question.name), json!({ method: operation(question) }));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "covec explorer",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "What a model of covariate-specific word vectors says. Rows are those that the covec \
                command prints with --format json. An answer that takes longer than a moment is worked on: ask the same \
                again until it is there (202, then 200).",
        },
        "servers": [{ "url": PREFIX }],
        "paths": paths,
        "components": { "schemas": {
            "Answer": {
                "type": "object",
                "required": ["rows"],
                "properties": {
                    "rows": { "type": "array", "items": { "type": "object" } },
                    "left_out": { "type": "integer", "description": "Words that are too rare to be spoken of" },
                },
            },
            "Working": {
                "type": "object",
                "required": ["working", "share"],
                "properties": {
                    "working": { "type": "string", "description": "What is being done" },
                    "share": { "type": ["number", "null"], "description": "How much of it is done" },
                },
            },
            "Fault": {
                "type": "object",
                "required": ["error", "more"],
                "properties": {
                    "error": { "type": "string" },
                    "more": { "type": "array", "items": { "type": "string" }, "description": "What was expected, and the way out" },
                },
            },
        } },
    })
    .to_string()
}

fn operation(question: &Question) -> Value {
    let mut content = Map::new();
    for format in question.formats {
        let schema = match format {
            Format::Json => {
                json!({ "anyOf": [{ "$ref": "#/components/schemas/Answer" }, { "type": "object" }] })
            }
            Format::Plotly => continue,
            Format::Csv | Format::Svg | Format::Png => json!({ "type": "string" }),
        };
        content.insert(format.media_type().to_owned(), json!({ "schema": schema }));
    }
    let mut responses = Map::new();
    let plain = |name: &str| json!({ "application/json": { "schema": { "$ref": format!("#/components/schemas/{name}") } } });
    responses.insert("200".into(), json!({ "description": "The answer", "content": content }));
    responses.insert(
        "202".into(),
        json!({ "description": "It is being worked on", "content": plain("Working") }),
    );
    for (status, meaning) in [
        ("400", "The question cannot be read"),
        ("403", "Asked from another site"),
        ("405", "Asked by another method"),
        ("408", "The request did not come to its end"),
        ("413", "The text is too long"),
        ("414", "The address is too long"),
        ("422", "The model has no answer to it"),
        ("429", "Too many questions wait"),
    ] {
        responses
            .insert(status.into(), json!({ "description": meaning, "content": plain("Fault") }));
    }
    // Refused before anything of it is read, so nothing more is said.
    responses.insert("431".into(), json!({ "description": "The head of the request is too long" }));
    let formats: Vec<&str> = question.formats.iter().map(|format| format.name()).collect();
    let mut parameters: Vec<Value> = question.parameters.iter().map(parameter).collect();
    parameters.push(json!({
        "name": "format", "in": "query", "description": "Rows, or a picture of them",
        "schema": { "type": "string", "enum": formats, "default": "json" },
    }));
    let mut operation = json!({
        "operationId": question.name,
        "summary": question.about,
        "parameters": parameters,
        "responses": responses,
    });
    if question.takes_text {
        operation["requestBody"] = json!({
            "required": true,
            "content": { "text/plain": { "schema": { "type": "string", "maxLength": LONGEST_TEXT } } },
        });
    }
    operation
}

fn parameter(Parameter { name, about, kind }: &Parameter) -> Value {
    let text = json!({ "type": "string", "maxLength": LONGEST });
    let schema = match kind {
        Kind::Needed | Kind::Text => text,
        Kind::Texts => json!({ "type": "array", "items": text, "maxItems": MOST_LEVELS }),
        Kind::Number(least, default, most) => {
            json!({ "type": "integer", "minimum": least, "maximum": most, "default": default })
        }
        Kind::Maybe(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Kind::Choice(choices) => {
            json!({ "type": "string", "enum": choices, "default": choices[0] })
        }
        Kind::Switch => json!({ "type": "boolean", "default": false }),
    };
    json!({
        "name": name, "in": "query", "description": about,
        "required": matches!(kind, Kind::Needed), "schema": schema,
    })
}
