# SPDX-License-Identifier: Apache-2.0
"""JSON held against the schema that `plenum manual json-schema` prints, and what of the schema was met in doing so."""
import collections
import re

PREFIX = "#/$defs/"


class Seen:
    """What of the tables was met: of an object "printed" by a command, of a key "value", "null", "absent", words and types of several."""

    def __init__(self):
        self.counts = collections.Counter()

    def add(self, *what):
        self.counts[what] += 1

    def update(self, other):
        self.counts.update(other.counts)


def is_type(value, name):
    return {"string": isinstance(value, str), "boolean": isinstance(value, bool), "null": value is None, "object": isinstance(value, dict),
            "array": isinstance(value, list), "integer": isinstance(value, int) and not isinstance(value, bool),
            "number": isinstance(value, (int, float)) and not isinstance(value, bool)}[name]


def mismatches(objects, value, schema, seen, place, where):
    """What is wrong with a value, by the schema; `place` is what is seen of, `where` is the path for people."""
    if "oneOf" in schema:
        tried = []
        for number, part in enumerate(schema["oneOf"]):
            own = Seen()
            tried.append((mismatches(objects, value, part, own, place, where), number, own))
        fitting = [one for one in tried if not one[0]]
        if len(fitting) != 1:
            return [f"{where}: fits {len(fitting)} of {len(tried)} types"] + (min(tried, key=lambda one: len(one[0]))[0] if not fitting else [])
        _, number, own = fitting[0]
        seen.update(own)
        seen.add(*place, "type", number)
        return []
    if "$ref" in schema:
        name = schema["$ref"][len(PREFIX):]
        own = objects[name]
        if "properties" not in own:
            return mismatches(objects, value, own, seen, (name, ""), where)
        return object_mismatches(objects, value, name, own, seen, where)
    if "enum" in schema:
        seen.add(*place, "word", value if isinstance(value, str) else "")
        return [] if value in schema["enum"] else [f"{where}: {value!r} is none of {schema['enum']}"]
    if "type" in schema and not is_type(value, schema["type"]):
        return [f"{where}: {value!r:.100} is not of type {schema['type']}"]
    out = []
    if "minimum" in schema and value < schema["minimum"]:
        out.append(f"{where}: {value} is below {schema['minimum']}")
    if "multipleOf" in schema and value % schema["multipleOf"] != 0:
        out.append(f"{where}: {value} is no multiple of {schema['multipleOf']}")
    if "pattern" in schema and not re.search(schema["pattern"], value):
        out.append(f"{where}: {value!r} does not match {schema['pattern']}")
    if "items" in schema:
        for number, item in enumerate(value):
            out += mismatches(objects, item, schema["items"], seen, place + ("item",), f"{where}[{number}]")
    if schema.get("type") == "object":
        for key, item in value.items():
            if "propertyNames" in schema:
                out += mismatches(objects, key, schema["propertyNames"], seen, place, f"{where}, the key {key}")
            out += mismatches(objects, item, schema["additionalProperties"], seen, place + ("item",), f"{where}[{key!r}]")
    return out


def object_mismatches(objects, value, name, schema, seen, where):
    if not isinstance(value, dict):
        return [f"{where}: {value!r:.100} is no {name}"]
    seen.add(name, "", "object")
    properties = schema["properties"]
    out = [f"{where}: {name} has no key {key!r} in the reference" for key in value if key not in properties]
    out += [f"{where}: the key {key!r} of {name} is missing" for key in schema["required"] if key not in value]
    order = [key for key in properties if key in value]
    if not out and order != list(value):
        out.append(f"{where}: the keys of {name} come as {list(value)}, in the reference as {order}")
    for key, own in properties.items():
        if key not in value:
            seen.add(name, key, "absent")
        else:
            seen.add(name, key, "null" if value[key] is None else "value")
            out += mismatches(objects, value[key], own, seen, (name, key), f"{where}.{key}")
    return out


def all_there_is(document):
    """What has to be seen, as Seen has it."""
    for command in document["x-prints"]:
        yield ("command", command)
    for name, own in document["$defs"].items():
        if "properties" not in own:
            yield from parts_of(own, (name, ""))
            continue
        yield (name, "", "object")
        for key, schema in own["properties"].items():
            only_null = schema.get("type") == "null"
            yield (name, key, "null" if only_null else "value")
            if "x-null" in schema:
                yield (name, key, "null")
            if "x-absent" in schema:
                yield (name, key, "absent")
            yield from parts_of(schema, (name, key))


def parts_of(schema, place):
    for number, part in enumerate(schema.get("oneOf", [])):
        if part == {"type": "null"}:
            continue
        yield (*place, "type", number)
        yield from parts_of(part, place)
    for word in schema.get("enum", []):
        yield (*place, "word", word)
    for inner in ("items", "additionalProperties"):
        if isinstance(schema.get(inner), dict):
            yield from parts_of(schema[inner], place + ("item",))
