"""Rows of INSERT statements read as text, however they are written, damaged ones too (sources 5)."""

import time
import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.world.sources.sql_rows import insert_rows
from engine.world.sources.sql_values import Expression

TABLES = {"thing", "other"}


def read(text):
    problems = []
    rows = list(insert_rows(text, TABLES, lambda line, reason: problems.append((line, reason))))
    return rows, problems


def values(text):
    rows, problems = read(text)
    assert problems == []
    return [row.values for row in rows]


@pytest.mark.parametrize(
    "text",
    [
        "INSERT INTO `thing` (`a`, `b`) VALUES (1, 2);",
        "insert into thing(a,b)values(1,2);",
        "INSERT INTO thing (b, a) VALUES (2, 1);",
        'INSERT INTO "world"."thing" ("a", "b") VALUES (1, 2);',  # mysqldump --compatible=ansi
        "REPLACE INTO `world`.`thing` (`A`, `B`) VALUE (1, 2) ;",
        "INSERT IGNORE INTO world.thing\n(\na\n,\nb\n)\nVALUES\n(1\n,2\n)\n;\n",
        "/* a */ INSERT -- b\n INTO # c ;\n thing /* ; */ (a, b) VALUES /* (9, 9) */ (1, /* , */ 2);",
        "DELETE FROM thing WHERE a = 'x;y'; INSERT INTO thing (a, b) VALUES (1, 2);",
        "SET @x = LAST_INSERT_ID(); INSERT INTO thing (a, b) VALUES (0x1, 0x02);",
        "INSERT INTO thing (a, b) VALUES (1, 2) ON DUPLICATE KEY UPDATE a = VALUES(a);",
        "INSERT INTO unknown (a) VALUES ('(;', \"');\"), (1); INSERT INTO thing (a, b) VALUES (1, 2);",
        "INSERT INTO thing (a, b) VALUES (TRUE, b'10');",
        "INSERT INTO `thing` (`a`, `b`) VALUES (x'01', 2) /* Door */ ;",
        "INSERT INTO thing (a, b) VALUES (1, 2) RETURNING a;",
        "SELECT 1;\n\ufeffINSERT INTO thing (a, b) VALUES (1, 2);",  # of files that were put together
    ],
)
def test_however_a_row_is_written(text):
    assert values(text) == [{"a": 1, "b": 2}]


def test_many_rows_with_comments_between_them():
    text = (
        "INSERT INTO thing (a) VALUES (1) /* one */\n, (2) -- two\n, (3);\nINSERT INTO other (a) VALUES (4);"
    )
    rows, _ = read(text)
    assert [(row.table, row.values["a"], row.line) for row in rows] == [
        ("thing", 1, 1),
        ("thing", 2, 2),
        ("thing", 3, 3),
        ("other", 4, 4),
    ]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("0x7A9B4015", 0x7A9B4015),
        ("-4.37114E-08", -4.37114e-08),
        ("+5", 5),
        (".5", 0.5),
        ("66.", 66.0),
        ("1e3", 1000.0),
        ("NULL", None),
        ("false", 0),
        ("'it''s'", "it's"),
        (r"'a\'b\\c\n'", "a'b\\c\n"),
        ('"say ""so"""', 'say "so"'),
        ("'),('", "),("),
        ("'2021-11-01 00:00:00'", "2021-11-01 00:00:00"),
        (r"_binary '\0'", "\0"),
        ("_binary 0x01", 1),
        ("_utf8mb4'1'", "1"),
        ("NOW()", Expression("NOW ( )")),
        ("CONCAT('a', 'b')", Expression("CONCAT ( 'a' , 'b' )")),
        ("@parent_id", Expression("@parent_id")),
        ("1 + 1", Expression("1 + 1")),
        ("12abc", Expression("1 2abc")),
        ("b'12'", Expression("b '12'")),
        ("", Expression("")),
    ],
)
def test_values(written, value):
    (row,) = values(f"INSERT INTO thing (a) VALUES ({written});")
    if isinstance(value, Expression) and written == "12abc":
        assert isinstance(row["a"], Expression)
    else:
        assert row["a"] == value


@pytest.mark.parametrize(
    ("text", "line", "reason", "rows"),
    [
        ("INSERT INTO thing VALUES (1);", 1, "names no columns", 0),
        ("\nINSERT INTO thing (a, 5) VALUES (1, 2);", 2, "list of columns makes no sense", 0),
        ("INSERT INTO thing (a) SELECT a FROM other;", 1, "there are no VALUES", 0),
        ("INSERT INTO thing (a) VALUES (1),\n(1, 2),\n(3);", 2, "2 values for 1 columns", 2),
        ("INSERT INTO thing (a) VALUES (1),;\n", 1, "a comma ends", 1),
        ("INSERT INTO thing (a) VALUES (1), 2;", 1, "expected a row in parentheses", 1),
        ("INSERT INTO thing (a) VALUES (1),\n(2;", 2, "a row is not closed", 1),
        ("INSERT INTO thing (a) VALUES (1),\n(2", 2, "a row is not closed", 1),
        ("INSERT INTO unknown (a) VALUES ('oh", 1, "a quote that is not closed", 0),
        ("INSERT INTO thing (a) VALUES (1)\nINSERT INTO `thing` (a) VALUES (2), (3);", 2, "no semicolon", 3),
        ("INSERT INTO thing (a) VALUES (1),\n(2)", 2, "the rest may be cut off", 2),
        ("INSERT INTO thing (a) VALUES (1) (2);", 1, "neither a comma nor a semicolon", 1),
        ("INSERT INTO unknown (a) VALUES (1)\nINSERT INTO `thing` (a) VALUES (2);", 2, "began before", 0),
        ("DELETE FROM other\nREPLACE INTO w.thing (a) VALUES (2);", 2, "began before", 0),
        ("DELETE FROM other\n/* ; */ insert ignore into `w`.`thing` (a) VALUES (2);", 2, "began before", 0),
        ("\nINSRT INTO thing (a) VALUES (1); INSERT INTO thing (a) VALUES (2);", 2, "begins with 'INSRT'", 1),
        ("VALUES (1); INSERT INTO thing (a) VALUES (2);", 1, "no statement begins with 'VALUES'", 1),
        ("\0\0\0INTO thing (a) VALUES (1);", 1, "no statement begins with '\\x00'", 0),
        ("INSERT INTP `thing` (a) VALUES (1);", 1, "names no table before '`thing`'", 0),
        ("INSERT INTO `thing (`a) VALUES (1);", 1, "names no table before 'a'", 0),
        ("UPDATE `w`.`thing` SET a = 3 WHERE a = 1;", 1, "thing: an UPDATE is not done", 0),
        ("INSERT INTO 'thing' (`a`) VALUES (1);", 1, "names no table before '('", 0),
        ("INSERT INTO `` (`a`) VALUES (1);", 1, "names no table before '('", 0),
        ("INSERT INTO # thing (a)\nVALUES (1);", 1, "names no table before '('", 0),
        ("INSERT (INTO thing (a) VALUES (1);", 1, "names no table before", 0),
        ("INSERT INTO thig (a) VALUES (1);", 1, "'thig' is no table of a world, though nearly thing", 0),
        (
            "INSERT INTO unknown (a) VALUES ('it);\nINSERT INTO thing (a) VALUES (1, ');",
            2,
            "in quotes",
            0,
        ),
        ("SELECT 1 /* x /;\nINSERT INTO thing (a) VALUES (1) /* y */;", 1, "closed before the next", 0),
        ("SELECT 1; /* x /;\nINSERT INTO thing (a) VALUES (1) /* y */;", 1, "closed before the next", 0),
    ],
)
def test_damage_is_one_line_and_the_rest_is_read(text, line, reason, rows):
    found, problems = read(text)
    assert len(problems) == 1
    assert problems[0][0] == line
    assert reason in problems[0][1]
    assert len(found) == rows


@pytest.mark.parametrize("date", ["2021-11-01 00:00:00'", "'2021-11-01 00:00:00", "2021-11-01 00:00:00"])
def test_a_row_with_a_lost_quote_is_told(date):
    """Of four objects one was left, with not a word: a date went on to the quote before the next one."""
    rows, problems = read(
        f"INSERT INTO thing (a, b) VALUES (1, {date})\n, (2, '2021')\n, (3, '2021');\n\n"
        "INSERT INTO thing (a, b) VALUES (4, '2021');"
    )
    assert [line for line, why in problems if "out of place in a value; a quote may be lost" in why] == [1]
    lost = {1, 2, 3, 4} - {row.values["a"] for row in rows}
    swallowed = any("this INSERT stands in a text in quotes that began before" in why for _, why in problems)
    assert lost == ({1, 2, 3, 4} if swallowed else {1})


@pytest.mark.parametrize("value", [
    "'a' COLLATE utf8_bin", "DATE '2021-11-01'", "NOW() + INTERVAL 1 DAY", "@id +1", "1 -1",
    "CASE WHEN a IS NOT NULL THEN 'x' ELSE 2 END", "(SELECT id FROM `w`.`t` WHERE b = 'c' LIMIT 1)", "-(1)",
    "CONCAT('it''s', \"a\", `b`)", "NOT TRUE",
    "CAST('1' AS SIGNED)", "?", "DEFAULT", "'a'::text", "1 = 1 AND 2 <> 3",
])  # fmt: skip
def test_what_a_database_could_work_out_is_a_value(value):
    (row,) = values(f"INSERT INTO thing (a) VALUES ({value});")
    assert isinstance(row["a"], Expression)


@pytest.mark.parametrize(
    "statement",
    [
        "/*!40101 SET NAMES utf8 */", "LOCK TABLES `thing` WRITE", "DELIMITER ;", "USE world", "",
        "CREATE TABLE `thing` (`a` int NOT NULL DEFAULT '0' COMMENT 'it''s')", "/* a /* b */ SELECT 1",
        "INSERT INTO elsewhere (a) SELECT 'INSERT INTO thing'", "INSERT INTO elsewhere DEFAULT VALUES",
        "DELIMITER $$\nCREATE TRIGGER t BEGIN\nINSERT log VALUES (1);\nread_loop: LOOP SET @a = 1;\nEND$$",
        "GET DIAGNOSTICS @n = ROW_COUNT; RESIGNAL; XA START 'x'; REPLACE log (a) VALUES (2)",
        "/*\nINSERT INTO thing (a) VALUES (1);\n*/", "insert into db.elsewhere values ('a\n\nb')",
    ],
)  # fmt: skip
def test_other_statements_are_passed_over_without_a_word(statement):
    assert values(f"{statement};\nINSERT INTO thing (a) VALUES (2);") == [{"a": 2}]


def test_a_dump_that_names_columns_only_where_it_creates_the_table_is_read():
    """As mysqldump writes it by default: there was no row that could be read."""
    assert values(
        """CREATE TABLE IF NOT EXISTS `w`.`thing` (
  `a` int(10) unsigned NOT NULL COMMENT 'it''s, (so); yes',
  b enum('x','y') DEFAULT 'x' CHECK (b IN ('x', 'y')),
  "last" datetime NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (`a`), UNIQUE KEY `k` (`a`,`b`), CONSTRAINT `f` FOREIGN KEY (`b`) REFERENCES `o` (`b`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TABLE `elsewhere` (`c` int);
INSERT INTO `thing` VALUES (1,'x','2021'),(2,_binary 'y',NULL);"""
    ) == [{"a": 1, "b": "x", "last": "2021"}, {"a": 2, "b": "y", "last": None}]


@pytest.mark.parametrize("columns", ["", "(", "(`a` int", "(`a` int,", "()", "(,)", "(((", ")", "(5)"])
def test_a_table_whose_columns_make_no_sense_is_none(columns):
    text = f"CREATE TABLE thing {columns}; INSERT INTO thing VALUES (1);"
    rows, problems = read(text)
    assert (rows == []) == bool(problems) or rows[0].values == {"a": 1}


def test_reading_goes_on_behind_a_damaged_statement():
    rows, problems = read("INSERT INTO thing VALUES (1); INSERT INTO thing (a) VALUES (2);")
    assert len(problems) == 1
    assert [row.values for row in rows] == [{"a": 2}]


@settings(derandomize=True, max_examples=120, deadline=None)
@given(st.lists(st.sampled_from(
    ["INSERT INTO thing", "(", ")", ",", ";", "'", '"', "`", "\\", "--", "/*", "*/", "#", "\n", "VALUES",
     "a", "1", "0x", "-", ".", " ", "é", "(a)", "(1)", "@", "=", "''"]
), max_size=40))  # fmt: skip
def test_any_text_is_read_to_its_end(parts):
    rows, _ = read(" ".join(parts))
    assert len(rows) <= len(parts)
    read("".join(parts))


@settings(derandomize=True, max_examples=40, deadline=None)
@given(st.lists(st.one_of(st.integers(-(2**40), 2**40), st.floats(allow_nan=False, allow_infinity=False),
                          st.text(max_size=12), st.none()), min_size=1, max_size=6))  # fmt: skip
def test_what_is_written_is_read_back(row):
    def written(value):
        if value is None:
            return "NULL"
        if isinstance(value, str):
            return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"
        return repr(value)

    columns = ", ".join(f"`c{n}`" for n in range(len(row)))
    (found,) = values(f"INSERT INTO `thing` ({columns}) VALUES ({', '.join(map(written, row))});")
    assert list(found.values()) == row


def test_long_files_take_no_longer_than_their_length():
    other = "INSERT INTO `unknown` (`a`) VALUES " + ", ".join(["('it''s; (so)')"] * 40_000) + ";\n"
    start = time.process_time()
    rows, problems = read(other * 5 + "INSERT INTO thing (a) VALUES (1);" + "'" + "x''" * 100_000)
    assert time.process_time() - start < 5.0
    assert len(rows) == len(problems) == 1


class Counted(str):
    """A text that adds up how many of its letters are looked through for another's."""

    looked_at = 0

    def count(self, what, start=0, end=None):
        Counted.looked_at += max(0, len(self) if end is None else end - start)
        return super().count(what, start, end)


def test_lines_are_counted_once_also_where_what_is_told_stands_behind_a_rows_beginning(monkeypatch):
    """They were counted from the text's beginning for each row: 20,000 rows took half a minute."""
    monkeypatch.setattr(Counted, "looked_at", 0)
    text = Counted("INSERT INTO thing (a) VALUES\n" + ",\n".join(["('\ninsert into thing')"] * 500) + ";")
    rows, problems = read(text)
    assert [row.line for row in rows] == [2 + 2 * number for number in range(500)]
    assert [line for line, _ in problems] == [3 + 2 * number for number in range(500)]
    assert Counted.looked_at < 4 * len(text)


@pytest.mark.parametrize("mark", ["/*!", "/*!50000 ", "/*!50003", "/*M!100400 "])
def test_an_insert_in_a_comment_that_a_database_executes_is_told(mark):
    text = f"SELECT 1;\n{mark}INSERT INTO thing (a) VALUES (1) */;\nINSERT INTO thing (a) VALUES (2);"
    rows, problems = read(text)
    assert [row.values for row in rows] == [{"a": 2}]
    assert problems == [(2, "an INSERT in a comment that MySQL executes; it is passed over")]


HEAD = "INSERT INTO thing (a) VALUES ("


@pytest.mark.parametrize(
    "text",
    [
        "/*" * 125_000,
        "x; /*" * 50_000,
        HEAD + "/* " * 80_000,
        HEAD + "'" + "\\'" * 125_000,
        HEAD + '"' + '\\"' * 125_000,
        HEAD + "1" * 250_000 + "x)",
        HEAD + "0x" + "f" * 250_000 + "g)",
        HEAD + "1." * 125_000 + ")",
        HEAD + "(" * 125_000,
        (HEAD + "1") * 8_000,
        "x'" * 83_333,
        "-" * 250_000,
        "- " * 125_000,
        "`" * 249_999,
        "''" * 125_000 + "'",
    ],
    ids=range(15),
)
def test_hostile_text_takes_no_longer_than_its_length(text):
    start = time.process_time()
    read(text)
    assert time.process_time() - start < 8.0


@pytest.mark.parametrize(
    "text",
    [
        "INSERT INTO thing (a, b) VALUES " + "(), " * 100,
        HEAD + "+" * 400 + ");",
        HEAD + "-- \n" * 100 + "1);",
        "SELECT 1 " + "-- \n" * 100 + ";",
    ],
    ids=["damaged rows", "a value", "comments", "passed over"],
)
def test_who_waits_hears_how_far_it_is_whatever_the_text_is_made_of(text, monkeypatch):
    monkeypatch.setattr("engine.world.sources.sql_tokens.HEARD", 50)
    told = []
    assert len(list(insert_rows(text, TABLES, lambda *_: None, told.append))) <= 1
    assert told == sorted(told)
    assert 6 <= len(told) <= 9
    assert max(after - before for before, after in pairwise(told)) < 60


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "+" * 20_000 + ");",
        HEAD + "," * 20_000 + ");",
        f"INSERT INTO thing ({'a,' * 10_000}a) VALUES (1);",
    ],
    ids=["a value", "a row", "columns"],
)
def test_a_value_or_row_that_makes_no_sense_is_not_kept_sign_for_sign(text):
    tracemalloc.start()
    try:
        read(text)
        assert tracemalloc.get_traced_memory()[1] < 40 * 4096 + 8 * len(text)
    finally:
        tracemalloc.stop()


def test_a_comment_that_is_not_closed_ends_the_text_and_is_told():
    rows, problems = read("INSERT INTO thing (a) VALUES (1);\n/* INSERT INTO thing (a) VALUES (2);")
    assert [row.values for row in rows] == [{"a": 1}]
    assert problems == [(2, "a comment that is not closed; the rest is passed over")]
    rows, problems = read("SELECT 1 /* x; INSERT INTO thing (a) VALUES (2);")
    assert not rows
    assert problems == [(1, "a comment that is not closed; the rest is passed over")]


def test_digits_that_make_no_number_are_one_word():
    ((row,), problems) = read("INSERT INTO thing (a, b, c) VALUES (12ab, 1.2.3, -7x);")
    assert not problems
    assert [value.text for value in row.values.values()] == ["12ab", "1.2.3", "- 7x"]


@pytest.mark.parametrize("quotes", ['"it""s "', "'it\\'s '", "`a``b `"])
def test_what_is_quoted_takes_no_more_memory_than_the_text(quotes):
    """A pattern that may go back kept thirty times as much: 13 GB for a file of 450 MB."""
    sign, inside = quotes[0], quotes[1:-1]
    text = (
        f"INSERT INTO unknown (a) VALUES ({sign}{inside * 400_000}{sign}); INSERT INTO thing (a) VALUES (1);"
    )
    tracemalloc.start()
    try:
        assert values(text) == [{"a": 1}]
        assert tracemalloc.get_traced_memory()[1] < 3 * len(text)
    finally:
        tracemalloc.stop()
