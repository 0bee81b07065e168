#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the reference of JSON, made from the schema: json_page.py > data/json.md

data/json-schema.json is the one place where a key is described. What JSON Schema has no words for stands there as "x-…":
x-introduction (paragraphs), x-prints (what each command prints), x-sections (objects that belong together), and of a type
x-by (what the keys of a map are), of a key x-unit, x-null and x-absent (when it is that).
"""
import json
import os

SCHEMA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "json-schema.json")
PREFIX = "#/$defs/"


def joined_by_or(parts):
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " or " + parts[-1]


def type_words(schema):
    """A type in words, with links to objects."""
    if "$ref" in schema:
        name = schema["$ref"][len(PREFIX):]
        return f"[`{name}`](#{name})"
    if "enum" in schema:
        return joined_by_or([f"`{word}`" for word in schema["enum"]])
    if "oneOf" in schema:
        return joined_by_or([type_words(part) for part in schema["oneOf"] if not ("x-null" in schema and part == {"type": "null"})])
    kind = schema.get("type")
    if kind == "array":
        return "list of " + type_words(schema["items"])
    if kind == "object":
        return f"object, by {schema['x-by']}: {type_words(schema['additionalProperties'])}"
    if "pattern" in schema:
        return f"text like `{schema['pattern']}`"
    if "minimum" in schema:
        return "whole number"
    if "multipleOf" in schema:
        return "integer or half"
    return {"string": "text", "boolean": "true or false", "null": "null", None: "anything"}.get(kind, kind)


def missing_words(key):
    return "; ".join(f"{word}: {key['x-' + word]}" for word in ("null", "absent") if "x-" + word in key)


def object_page(name, schema):
    yield f"\n### {name}\n"
    if "properties" not in schema:
        yield f"{schema['description']} Written as {type_words(schema)}."
        return
    yield f"{schema['description']}\n"
    yield "| key | type | unit | meaning | null or absent |"
    yield "|---|---|---|---|---|"
    for key, value in schema["properties"].items():
        yield f"| `{key}` | {type_words(value)} | {value.get('x-unit', '')} | {value['description']} | {missing_words(value)} |"


def page(schema):
    """The reference, line by line."""
    yield "<!-- Made by tests/json_page.py from json-schema.json; a test keeps it fresh. Change the schema, not this page. -->\n"
    yield "# The JSON that commands print\n"
    first, *points = schema["x-introduction"]
    yield first + "\n"
    yield from points
    yield "\n## What a command prints\n"
    yield "| command | prints | how |"
    yield "|---|---|---|"
    for command, printed in schema["x-prints"].items():
        yield f"| `{command}` | {type_words(printed)} | {printed['description']} |"
    for section in schema["x-sections"]:
        yield f"\n## {section['heading']}"
        if section["about"]:
            yield f"\n{section['about']}"
        for name in section["objects"]:
            yield from object_page(name, schema["$defs"][name])


def main():
    with open(SCHEMA, encoding="utf-8") as file:
        print("\n".join(page(json.load(file))))


if __name__ == "__main__":
    main()
