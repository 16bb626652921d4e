use super::check;

#[test]
fn what_sql_has_named_stands_where_it_is_named() {
    check(
        "sql",
        "create view v as select b from t; select c from v;",
        &[" select c from (select b from t);"],
    );
    check(
        "sql",
        "with a as (select b from t), d as (select 1) select c from a, d",
        &["with  d as (select 1) select c from (select b from t), d"],
    );
    check(
        "sql",
        "with a as (select b from t) select c from a",
        &[" select c from (select b from t)"],
    );
    check("sql", "select a from t where b = 1", &["select b = 1 "]);
    check(
        "sql",
        "select a b from t order by b",
        &["select a from t order by a"],
    );
    check(
        "sql",
        "select a from (select * from t join u on b) where c",
        &["select a from t join u on b where c"],
    );
    check(
        "sql",
        "select a from (select b from t) where c",
        &["select b from t "],
    );
}

#[test]
fn a_column_goes_with_its_values() {
    check(
        "sql",
        "create table t(a int, b int); insert into t values (1, 2), (3, 4);",
        &["create table t( b int); insert into t values ( 2), ( 4);"],
    );
}

#[test]
fn a_query_of_a_table_becomes_one_for_a_number() {
    check("sql", "SELECT a, b FROM c;", &["SELECT 1 ;"]);
}
