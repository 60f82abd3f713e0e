"""The JSON Schema of a network file (draft 2020-12).

It says what shape a file has. That the graph is acyclic, that the names agree and that there is a
weight for each parameter is beyond a schema: `graphs.files.from_json` checks all.
"""

from __future__ import annotations

from typing import Any

from graphs.activations import PIECEWISE_LINEAR, SMOOTH

_NUMBER = {
    "description": "an exact number: an integer, p/q, a hexadecimal float, or a float",
    "oneOf": [
        {"type": "number"},
        {"type": "string", "pattern": r"^[+-]?[0-9]+(/0*[1-9][0-9]*)?$"},
        {
            "type": "string",
            "pattern": r"^[+-]?0[xX][0-9a-fA-F]+(\.[0-9a-fA-F]*)?[pP][+-]?[0-9]{1,5}$",
        },
    ],
}
_NAME = {"type": "string", "minLength": 1}
_NAMES = {"type": "array", "items": _NAME, "uniqueItems": True, "minItems": 1}
_VERTEX = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": _NAME,
        "activation": {
            "description": "needed but at inputs, which are linear",
            "enum": [*PIECEWISE_LINEAR, *SMOOTH],
        },
        "slope": {"$ref": "#/$defs/number", "description": "left of 0; of leaky_relu alone"},
        "scale_square": {
            "$ref": "#/$defs/number",
            "description": "square of the factor on the pre-activation; 1 where missing",
        },
    },
    "additionalProperties": False,
    "if": {"required": ["activation"], "properties": {"activation": {"const": "leaky_relu"}}},
    "then": {"required": ["slope"]},
    "else": {"not": {"required": ["slope"]}},
}
_EDGE = {
    "type": "object",
    "required": ["tail", "head"],
    "properties": {
        "tail": _NAME,
        "head": _NAME,
        "parameter": {**_NAME, "description": "edges that name the same parameter share it"},
        "fixed": {"$ref": "#/$defs/number"},
    },
    "additionalProperties": False,
    "oneOf": [{"required": ["parameter"]}, {"required": ["fixed"]}],
}

NETWORK_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A network of Lemmata",
    "type": "object",
    "required": ["format", "version", "vertices", "inputs", "outputs", "edges"],
    "properties": {
        "format": {"const": "lemmata-network"},
        "version": {"const": 1},
        "title": {"type": "string"},
        "vertices": {"type": "array", "items": _VERTEX, "minItems": 1},
        "inputs": _NAMES,
        "outputs": _NAMES,
        "constants": {
            "description": "inputs held at a value (biases)",
            "type": "object",
            "additionalProperties": {"$ref": "#/$defs/number"},
        },
        "edges": {"type": "array", "items": _EDGE},
        "weights": {
            "description": "by the name of the parameter: one for each, or no weights at all",
            "type": "object",
            "additionalProperties": {"$ref": "#/$defs/number"},
        },
    },
    "additionalProperties": False,
    "$defs": {"number": _NUMBER},
}
