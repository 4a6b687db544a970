from itertools import pairwise

from search.charts import HEIGHT, LABEL_GAP, LINES, WIDTH, history

FIGURES = dict.fromkeys(LINES, 0.5)


def test_a_line_goes_through_its_runs():
    chart = history([(1, "old", FIGURES), (7, "new", {**FIGURES, "recall_at_10": 1.0})])
    recall = chart.lines[0]
    assert (recall.name, recall.points) == ("recall", "158,110 362,12")
    assert [mark.told for mark in recall.marks] == ["old: recall 0.500", "new: recall 1.000"]
    assert [tick.text for tick in chart.columns] == ["1", "7"]


def test_zero_is_at_the_bottom_and_one_at_the_top():
    rows = {tick.text: tick.at for tick in history([(1, "a", FIGURES)]).rows}
    assert (rows["0.00"], rows["1.00"]) == (208, 12)


def test_labels_of_equal_figures_do_not_cover_each_other():
    places = sorted(line.label_y for line in history([(1, "a", FIGURES)]).lines)
    assert all(low + LABEL_GAP <= high for low, high in pairwise(places))


def test_everything_is_inside_the_box():
    chart = history([(n, "r", dict.fromkeys(LINES, 1.0)) for n in range(30)])
    marks = [mark for line in chart.lines for mark in line.marks]
    assert all(0 <= mark.x <= WIDTH and 0 <= mark.y <= HEIGHT for mark in marks)


def test_many_runs_are_numbered_now_and_then():
    chart = history([(n, "r", FIGURES) for n in range(1, 31)])
    assert [tick.text for tick in chart.columns] == [str(n) for n in range(1, 31, 3)]


def test_labels_at_the_bottom_stay_inside():
    lines = history([(1, "r", dict.fromkeys(LINES, 0.0))]).lines
    assert max(line.label_y for line in lines) <= HEIGHT - LABEL_GAP


def test_a_figure_that_no_run_has_gets_no_line():
    ranking = {key: 0.5 for key in FIGURES if not key.startswith("abstention")}
    names = [line.name for line in history([(1, "a", ranking)]).lines]
    assert names == ["recall", "hit", "MRR", "line hit"]


def test_a_figure_that_came_later_begins_later():
    ranking = {key: 0.5 for key in FIGURES if not key.startswith("abstention")}
    (silent,) = [
        line
        for line in history([(1, "a", ranking), (2, "b", FIGURES)]).lines
        if line.name == "wrongly silent"
    ]
    assert [mark.told for mark in silent.marks] == ["b: wrongly silent 0.500"]
