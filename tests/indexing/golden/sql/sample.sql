-- Harbour schema; CREATE TABLE not_here (id int);
SET search_path = harbour, public;

/*
 * A place where one ship can lie. Built from the chart.
 */
CREATE TABLE IF NOT EXISTS harbour.berth (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name    text NOT NULL DEFAULT 'create table ghost (id int);',
    depth   numeric(5, 2) CHECK (depth > 0)
);

create temporary table "odd ""name" as select 1 as "create view x;";

CREATE TYPE tide AS ENUM ('low', 'high');
CREATE DOMAIN metres AS numeric CHECK (VALUE >= 0);

-- Deepest berth first! Ties keep their order.
CREATE OR REPLACE VIEW deepest_berth AS
SELECT id, name
FROM harbour.berth
ORDER BY depth DESC;

CREATE MATERIALIZED VIEW berth_count AS SELECT count(*) FROM harbour.berth;
CREATE INDEX berth_by_depth ON harbour.berth (depth);

-- Moors a ship.
CREATE OR REPLACE FUNCTION moor(ship text, berth bigint DEFAULT 1)
RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    note text := 'it''s; done';
BEGIN
    IF berth > 0 THEN
        EXECUTE $q$CREATE TABLE inner_table (id int);$q$;
    END IF;
    RETURN true;
END;
$$;

CREATE FUNCTION describe(p text) RETURNS text AS $body$
    SELECT $$note; $$ || p;
$body$ LANGUAGE sql;

CREATE FUNCTION one() RETURNS int AS 'SELECT 1;' LANGUAGE sql;

CREATE TRIGGER berth_touched
    BEFORE UPDATE ON harbour.berth
    FOR EACH ROW EXECUTE FUNCTION touch();

BEGIN;
INSERT INTO harbour.berth (name) VALUES ('North'), ('South; CREATE VIEW nope');
COMMIT;

CREATE PROCEDURE settle(amount numeric)
BEGIN
    DECLARE total numeric;
    CASE WHEN amount > 0 THEN SET total = amount; ELSE SET total = 0; END CASE;
    WHILE total > 0 DO
        SET total = total - 1;
    END WHILE;
    BEGIN
        INSERT INTO ledger VALUES (CASE total WHEN 0 THEN 1 END);
    END;
END;

CREATE TABLE broken (
    id bigint,,
    name text NOT

CREATE TABLE after_break (
    id bigint
);

/* CREATE TABLE commented_out (id int); */

CREATE SCHEMA IF NOT EXISTS archive;
create view archive.`old berth` as select 1
