/* The subject in C: SQLite's own library with nothing between. It obeys the commands that child.go lists, those from open to sessions, and
   answers each with a line of JSON. What it prepares and sets it reads from the files "statements" and "pragmas" in its working directory, in
   the order of statements.go. A row that it reads is handed to nobody: its texts are counted where SQLite keeps them, and not copied. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sqlite3-binding.h"

enum { BEGIN, COMMIT, LOG_END, FIND_SESSION, PUT_MESSAGE, PUT_CALL, OPEN_CALL, ANSWER_CALL, PUT_EVENT, MOVE_SESSION,
       READ_MESSAGES, READ_EVENTS, READ_SESSIONS, STATEMENTS };

typedef struct {
	sqlite3_int64 event_id, created_at;
	char *type, *payload, *role, *content, *call_id, *name, *arguments; /* NULL for none */
	unsigned char hash[32];
} row;

typedef struct {
	char *session;
	int count;
	row *rows;
} append;

static sqlite3 *db;
static sqlite3_stmt *stmts[STATEMENTS];
static append *work;
static int appends;

static sqlite3_int64 tally_rows, tally_bytes, tally_order;

static void tally(sqlite3_int64 id, sqlite3_int64 bytes) {
	tally_rows++;
	tally_bytes += bytes;
	tally_order = (tally_order * 31 + id) % 1000003;
}

static void fail(const char *what, const char *why) {
	printf("{\"error\":\"");
	for (; *what; what++) putchar(*what == '"' || *what == '\\' || *what < ' ' ? ' ' : *what);
	printf(": ");
	for (; *why; why++) putchar(*why == '"' || *why == '\\' || *why < ' ' ? ' ' : *why);
	printf("\"}\n");
	fflush(stdout);
	exit(2);
}

static void check(int rc, const char *what) {
	if (rc != SQLITE_OK && rc != SQLITE_DONE && rc != SQLITE_ROW) fail(what, db ? sqlite3_errmsg(db) : sqlite3_errstr(rc));
}

/* lines calls each with every line of a file, without its end. */
static void lines(const char *file, void (*each)(char *)) {
	FILE *f = fopen(file, "r");
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	if (!f) fail(file, "cannot be opened");
	while ((n = getline(&line, &room, f)) > 0) {
		if (line[n - 1] == '\n') line[n - 1] = 0;
		each(line);
	}
	free(line);
	fclose(f);
}

static void set_pragma(char *line) {
	char sql[200], got[100] = "";
	char *value = strchr(line, ' ');
	sqlite3_stmt *s;
	*value++ = 0;
	snprintf(sql, sizeof sql, "PRAGMA %s = %s", line, value);
	check(sqlite3_exec(db, sql, NULL, NULL, NULL), sql);
	snprintf(sql, sizeof sql, "PRAGMA %s", line);
	check(sqlite3_prepare_v2(db, sql, -1, &s, NULL), sql);
	if (sqlite3_step(s) == SQLITE_ROW) snprintf(got, sizeof got, "%s", (const char *)sqlite3_column_text(s, 0));
	check(sqlite3_finalize(s), sql);
	if (strcmp(got, value)) fail(sql, got);
}

static int prepared;

static void prepare(char *line) {
	if (prepared == STATEMENTS) fail(line, "is one statement too many");
	check(sqlite3_prepare_v3(db, line, -1, SQLITE_PREPARE_PERSISTENT, &stmts[prepared++], NULL), line);
}

static void open_file(const char *file) {
	for (int i = 0; i < STATEMENTS; i++) {
		sqlite3_finalize(stmts[i]);
		stmts[i] = NULL;
	}
	if (db) check(sqlite3_close(db), "close");
	check(sqlite3_open(file, &db), file);
	lines("pragmas", set_pragma);
	prepared = 0;
	lines("statements", prepare);
	if (prepared != STATEMENTS) fail("statements", "some are missing");
}

/* field cuts off the text up to the next tab. */
static char *field(char **rest) {
	char *f = strsep(rest, "\t");
	return f ? f : "";
}

static char *kept(const char *text) { return *text ? strdup(text) : NULL; }

static int rows_due;

static void load_line(char *line) {
	char *rest = line, *first = field(&rest);
	if (!strcmp(first, "@")) {
		work = realloc(work, (appends + 1) * sizeof *work);
		append *a = &work[appends++];
		a->session = strdup(field(&rest));
		a->count = rows_due = atoi(field(&rest));
		a->rows = calloc(a->count, sizeof *a->rows);
		return;
	}
	append *a = &work[appends - 1];
	row *r = &a->rows[a->count - rows_due--];
	r->event_id = atoll(first);
	r->type = strdup(field(&rest));
	r->payload = strdup(field(&rest));
	r->created_at = atoll(field(&rest));
	char *hash = field(&rest);
	for (int i = 0; i < 32; i++) {
		unsigned byte;
		sscanf(hash + 2 * i, "%2x", &byte);
		r->hash[i] = byte;
	}
	r->role = strdup(field(&rest));
	r->content = strdup(field(&rest));
	r->call_id = kept(field(&rest));
	r->name = kept(field(&rest));
	r->arguments = kept(field(&rest));
}

static void number(int s, int place, sqlite3_int64 v) { check(sqlite3_bind_int64(stmts[s], place, v), "bind"); }

/* text binds what stays where it is until the statement has run. NULL is bound as such. */
static void text(int s, int place, const char *v) { check(sqlite3_bind_text(stmts[s], place, v, -1, SQLITE_STATIC), "bind"); }

static void run(int s) {
	sqlite3_step(stmts[s]);
	check(sqlite3_reset(stmts[s]), sqlite3_sql(stmts[s]));
}

/* first is the first column of the only row that there must be. */
static sqlite3_int64 first(int s) {
	if (sqlite3_step(stmts[s]) != SQLITE_ROW) fail(sqlite3_sql(stmts[s]), "no row");
	sqlite3_int64 v = sqlite3_column_int64(stmts[s], 0);
	check(sqlite3_reset(stmts[s]), sqlite3_sql(stmts[s]));
	return v;
}

static sqlite3_int64 find_session(const char *id) {
	text(FIND_SESSION, 1, id);
	return first(FIND_SESSION);
}

static void put(sqlite3_int64 session, const row *r) {
	number(PUT_MESSAGE, 1, r->event_id);
	number(PUT_MESSAGE, 2, session);
	text(PUT_MESSAGE, 3, r->role);
	text(PUT_MESSAGE, 4, r->content);
	text(PUT_MESSAGE, 5, r->call_id);
	text(PUT_MESSAGE, 6, r->name);
	text(PUT_MESSAGE, 7, r->arguments);
	run(PUT_MESSAGE);
	if (r->name) {
		number(PUT_CALL, 1, r->event_id);
		number(PUT_CALL, 2, session);
		text(PUT_CALL, 3, r->call_id);
		run(PUT_CALL);
	} else if (r->call_id) {
		number(OPEN_CALL, 1, session);
		text(OPEN_CALL, 2, r->call_id);
		text(OPEN_CALL, 3, "open");
		number(ANSWER_CALL, 2, first(OPEN_CALL));
		number(ANSWER_CALL, 1, r->event_id);
		run(ANSWER_CALL);
	}
	number(PUT_EVENT, 1, r->event_id);
	number(PUT_EVENT, 2, session);
	text(PUT_EVENT, 3, r->type);
	text(PUT_EVENT, 4, r->payload);
	number(PUT_EVENT, 5, r->created_at);
	check(sqlite3_bind_blob(stmts[PUT_EVENT], 6, r->hash, sizeof r->hash, SQLITE_STATIC), "bind");
	run(PUT_EVENT);
}

static void write_append(const append *a) {
	run(BEGIN);
	sqlite3_int64 last = first(LOG_END), session = find_session(a->session);
	for (int i = 0; i < a->count; i++) {
		if (++last != a->rows[i].event_id) fail("write", "the file does not go on where the work does");
		put(session, &a->rows[i]);
	}
	number(MOVE_SESSION, 1, last);
	number(MOVE_SESSION, 2, a->count);
	number(MOVE_SESSION, 3, session);
	run(MOVE_SESSION);
	run(COMMIT);
}

/* length reads a text, as whoever wants to have it must, and tells how long it is. */
static sqlite3_int64 length(sqlite3_stmt *s, int column) { return sqlite3_column_text(s, column) ? sqlite3_column_bytes(s, column) : 0; }

static void read_messages(const char *id) {
	sqlite3_stmt *s = stmts[READ_MESSAGES];
	number(READ_MESSAGES, 1, find_session(id));
	while (sqlite3_step(s) == SQLITE_ROW)
		tally(sqlite3_column_int64(s, 0), length(s, 1) + length(s, 2) + length(s, 3) + length(s, 4) + length(s, 5));
	check(sqlite3_reset(s), "messages");
}

static void read_events(const char *id) {
	sqlite3_stmt *s = stmts[READ_EVENTS];
	number(READ_EVENTS, 1, find_session(id));
	while (sqlite3_step(s) == SQLITE_ROW)
		tally(sqlite3_column_int64(s, 0) + sqlite3_column_int64(s, 3), length(s, 1) + length(s, 2));
	check(sqlite3_reset(s), "events");
}

static void read_sessions(void) {
	sqlite3_stmt *s = stmts[READ_SESSIONS];
	while (sqlite3_step(s) == SQLITE_ROW)
		tally(sqlite3_column_int64(s, 0) + sqlite3_column_int64(s, 3) + sqlite3_column_int64(s, 4) + sqlite3_column_int64(s, 5), length(s, 1) + length(s, 2));
	check(sqlite3_reset(s), "sessions");
}

static long long between(struct timespec start, struct timespec end) {
	return (end.tv_sec - start.tv_sec) * 1000000000LL + end.tv_nsec - start.tv_nsec;
}

int main(void) {
	char line[1000], what[20], name[900];
	while (fgets(line, sizeof line, stdin)) {
		int from = 0, count = 0;
		struct timespec start, end, worked, done;
		const char *version = "";
		*what = *name = 0;
		sscanf(line, "%19s %899s", what, name);
		sscanf(line, "%*s %d %d", &from, &count);
		tally_rows = tally_bytes = tally_order = 0;
		clock_gettime(CLOCK_MONOTONIC, &start);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &worked);
		if (!strcmp(what, "open")) {
			open_file(name);
			version = sqlite3_libversion();
		} else if (!strcmp(what, "load")) {
			appends = 0; /* what was there is left behind: there are few */
			lines(name, load_line);
		} else if (!strcmp(what, "write")) {
			if (from + count > appends) fail("write", "there is not that much work");
			for (int i = 0; i < count; i++) write_append(&work[from + i]);
		} else if (!strcmp(what, "messages")) {
			read_messages(name);
		} else if (!strcmp(what, "events")) {
			read_events(name);
		} else if (!strcmp(what, "sessions")) {
			read_sessions();
		} else {
			fail("there is no such command", what);
		}
		clock_gettime(CLOCK_MONOTONIC, &end);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &done);
		printf("{\"ns\":%lld,\"cpu\":%lld,\"rows\":%lld,\"bytes\":%lld,\"order\":%lld,\"version\":\"%s\"}\n",
			between(start, end), between(worked, done), tally_rows, tally_bytes, tally_order, version);
		fflush(stdout);
	}
	return 0;
}
