# SPDX-License-Identifier: Apache-2.0
"""Queries by DuckDB's library (tools/duckdb), where it is: as `duckdb -csv` prints them."""

import csv
import ctypes
import io
import os
import pathlib

BUILT = pathlib.Path(__file__).resolve().parent.parent / ".build" / "duckdb" / "libduckdb.so"


def library():
    """The path of the library that plenum finds too; None without one."""
    path = os.environ.get("PLENUM_DUCKDB") or str(BUILT)
    return path if os.path.exists(path) else None


class Answer(ctypes.Structure):
    _fields_ = [("no_longer_used", ctypes.c_uint64 * 3), ("columns", ctypes.c_void_p), ("message", ctypes.c_char_p), ("data", ctypes.c_void_p)]


class DuckDb:
    """A database in memory. Files are named from the current folder."""

    def __init__(self):
        self.lib = ctypes.CDLL(library())
        pointer, place = ctypes.c_void_p, ctypes.c_uint64
        for name, result, arguments in [
                ("duckdb_open", ctypes.c_int, [ctypes.c_char_p, pointer]), ("duckdb_connect", ctypes.c_int, [pointer, pointer]),
                ("duckdb_query", ctypes.c_int, [pointer, ctypes.c_char_p, pointer]), ("duckdb_result_error", ctypes.c_char_p, [pointer]),
                ("duckdb_row_count", place, [pointer]), ("duckdb_column_count", place, [pointer]),
                ("duckdb_column_name", ctypes.c_char_p, [pointer, place]), ("duckdb_value_varchar", pointer, [pointer, place, place]),
                ("duckdb_free", None, [pointer]), ("duckdb_destroy_result", None, [pointer])]:
            function = getattr(self.lib, name)
            function.restype, function.argtypes = result, arguments
        self.database, self.connection = pointer(), pointer()
        if self.lib.duckdb_open(None, ctypes.byref(self.database)) or self.lib.duckdb_connect(self.database, ctypes.byref(self.connection)):
            raise RuntimeError("DuckDB does not open")

    def rows(self, query):
        """The names of the columns, and the rows as texts, None where nothing is."""
        answer = Answer()
        at = ctypes.byref(answer)
        try:
            if self.lib.duckdb_query(self.connection, query.encode(), at):
                raise RuntimeError(self.lib.duckdb_result_error(at).decode())
            columns = range(self.lib.duckdb_column_count(at))
            names = [self.lib.duckdb_column_name(at, c).decode() for c in columns]
            return names, [[self._text(at, c, r) for c in columns] for r in range(self.lib.duckdb_row_count(at))]
        finally:
            self.lib.duckdb_destroy_result(at)

    def _text(self, at, column, row):
        found = self.lib.duckdb_value_varchar(at, column, row)
        if not found:
            return None
        text = ctypes.string_at(found).decode()
        self.lib.duckdb_free(found)
        return text

    def as_csv(self, query):
        names, rows = self.rows(query)
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([names, *rows])
        return out.getvalue()
