/* The yardstick: Breakthrough 6x6 from the start, searched to a fixed depth by a plain C program.
 *
 *     gcc -O3 -march=native -o breakthrough breakthrough.c && ./breakthrough 12
 *
 * or from another position: ./breakthrough 12 WHITE BLACK TURN, the two sides' pawns as bitboards
 * in hexadecimal and 0 or 1 for whose turn it is.
 *
 * What such a program usually has, and no more: bitboards, states by value, iterative deepening,
 * fail-soft principal variation search, one transposition table, table move first, then winning
 * steps and captures, then quiet moves by history. No quiescence, no reductions, no pruning beyond
 * alpha-beta: the value of every depth is exact. One line is printed for each finished depth,
 *
 *     depth value nodes seconds
 *
 * with the value for White and the nodes and seconds of all depths so far, and at the end
 *
 *     done nodes seconds nodes-per-second
 *
 * A node is a call of the search, leaves included.
 */

#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 6, COLUMNS = 6, CELLS = ROWS * COLUMNS };
enum { MAX_MOVES = 3 * 2 * COLUMNS, MOVE_LIMIT = 3 * CELLS, MAX_DEPTH = 64 };
enum { WIN = 1000000000, DECIDED = WIN - 1000, INFINITE = WIN + 1, PAWN = 100 };
enum { TABLE_BITS = 22 };
enum { TABLE_SCORE = 1 << 30, WINNING_SCORE = 1 << 29, CAPTURE_SCORE = 1 << 28 };
enum { HISTORY_LIMIT = 1 << 27 }; /* every history score stays below a capture's */

typedef uint64_t Bits;

#define ALL ((Bits)((1ULL << CELLS) - 1))
#define BOTTOM ((Bits)((1ULL << COLUMNS) - 1))
#define TOP (BOTTOM << (CELLS - COLUMNS))
#define LEFT ((Bits)0x041041041ULL) /* column 0 of six */
#define NOT_LEFT (ALL & ~LEFT)
#define NOT_RIGHT (ALL & ~(LEFT << (COLUMNS - 1)))

/* Cell (row, column) is bit row * COLUMNS + column, row 0 at the bottom; White moves up. */
typedef struct {
    Bits white, black;
    int turn; /* 0 White, 1 Black */
} State;

/* A move is from_cell * 3 + direction: 0 left, 1 straight, 2 right as White sees the board. */
typedef int Move;

typedef enum { NONE, LOWER, UPPER, EXACT } Bound;

typedef struct {
    Bits key;
    int32_t value; /* wins and losses counted from this state, not from the root */
    uint16_t move;
    int8_t depth;
    uint8_t bound;
} Entry;

_Static_assert(sizeof(Entry) == 16, "a table entry takes 16 bytes");

static Entry *table;
static int history[2][MOVE_LIMIT];
static uint64_t nodes;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

/* The rules */

static inline int target_of(State state, Move move) {
    int step = state.turn == 0 ? COLUMNS : -COLUMNS;
    return move / 3 + step + move % 3 - 1;
}

static inline int list_moves(State state, Move *out) {
    Bits empty = ALL & ~(state.white | state.black);
    Bits left, right, ahead;
    int step, count = 0;
    if (state.turn == 0) {
        step = COLUMNS;
        left = (state.white & NOT_LEFT) << (COLUMNS - 1) & ALL & ~state.white;
        right = (state.white & NOT_RIGHT) << (COLUMNS + 1) & ALL & ~state.white;
        ahead = state.white << COLUMNS & empty;
    } else {
        step = -COLUMNS;
        left = (state.black & NOT_LEFT) >> (COLUMNS + 1) & ~state.black;
        right = (state.black & NOT_RIGHT) >> (COLUMNS - 1) & ~state.black;
        ahead = state.black >> COLUMNS & empty;
    }
    for (; left; left &= left - 1)
        out[count++] = (__builtin_ctzll(left) - step + 1) * 3;
    for (; right; right &= right - 1)
        out[count++] = (__builtin_ctzll(right) - step - 1) * 3 + 2;
    for (; ahead; ahead &= ahead - 1)
        out[count++] = (__builtin_ctzll(ahead) - step) * 3 + 1;
    return count;
}

static inline State play(State state, Move move) {
    Bits source = 1ULL << move / 3, target = 1ULL << target_of(state, move);
    if (state.turn == 0)
        return (State){state.white ^ source ^ target, state.black & ~target, 1};
    return (State){state.white & ~target, state.black ^ source ^ target, 0};
}

/* Only the side that has just moved can have won. */
static inline int is_lost(State state) {
    return state.turn == 0 ? (state.black & BOTTOM) != 0 || state.white == 0
                           : (state.white & TOP) != 0 || state.black == 0;
}

/* Material, for the side to move. */
static inline int evaluate(State state) {
    int value = PAWN * (__builtin_popcountll(state.white) - __builtin_popcountll(state.black));
    return state.turn == 0 ? value : -value;
}

static inline Bits key_of(State state) {
    Bits word = (state.white ^ (Bits)state.turn << 63) * 0x9E3779B97F4A7C15ULL;
    word = (word ^ word >> 32 ^ state.black) * 0xD6E8FEB86659FD93ULL;
    return word ^ word >> 32;
}

/* The search */

static inline int to_table(int value, int ply) {
    return value >= DECIDED ? value + ply : value <= -DECIDED ? value - ply : value;
}

static inline int from_table(int value, int ply) {
    return value >= DECIDED ? value - ply : value <= -DECIDED ? value + ply : value;
}

static inline void score_moves(State state, const Move *moves, int *scores, int count,
                               Move table_move) {
    Bits enemies = state.turn == 0 ? state.black : state.white;
    for (int index = 0; index < count; index++) {
        Move move = moves[index];
        Bits target = 1ULL << target_of(state, move);
        if (move == table_move)
            scores[index] = TABLE_SCORE;
        else if (target & (TOP | BOTTOM))
            scores[index] = WINNING_SCORE;
        else if (target & enemies)
            scores[index] = CAPTURE_SCORE;
        else
            scores[index] = history[state.turn][move];
    }
}

/* Bring the best of the moves that are left to the front of them. */
static inline Move next_best(Move *moves, int *scores, int from, int count) {
    int best = from;
    for (int index = from + 1; index < count; index++)
        if (scores[index] > scores[best])
            best = index;
    Move move = moves[best];
    int score = scores[best];
    moves[best] = moves[from];
    scores[best] = scores[from];
    moves[from] = move;
    scores[from] = score;
    return move;
}

/* Remember a quiet move that refuted a line; captures are tried early anyway. */
static inline void reward(State state, Move move, int depth) {
    if (1ULL << target_of(state, move) & (state.white | state.black))
        return;
    int *scores = history[state.turn];
    scores[move] += depth * depth;
    if (scores[move] > HISTORY_LIMIT)
        for (int index = 0; index < MOVE_LIMIT; index++)
            scores[index] /= 2;
}

/* The value of a state for its side to move: exact if it lies between alpha and beta, otherwise a
 * bound on the far side of the one it misses. */
static int search(State state, int depth, int ply, int alpha, int beta) {
    nodes++;
    if (is_lost(state))
        return ply - WIN;
    if (depth == 0)
        return evaluate(state);

    Bits key = key_of(state);
    Entry *entry = &table[key >> (64 - TABLE_BITS)];
    Move table_move = -1;
    if (entry->key == key && entry->bound != NONE) {
        table_move = entry->move;
        /* An entry of another depth would answer another question. */
        if (entry->depth == depth && ply > 0) {
            int value = from_table(entry->value, ply);
            if (entry->bound == EXACT || (entry->bound == LOWER && value >= beta) ||
                (entry->bound == UPPER && value <= alpha))
                return value;
        }
    }

    Move moves[MAX_MOVES];
    int scores[MAX_MOVES];
    int count = list_moves(state, moves);
    score_moves(state, moves, scores, count, table_move);

    int best_value = -INFINITE, old_alpha = alpha;
    Move best_move = 0; /* replaced at once: a side with pawns has a move */
    for (int index = 0; index < count; index++) {
        Move move = next_best(moves, scores, index, count);
        State child = play(state, move);
        int value;
        if (index == 0) {
            value = -search(child, depth - 1, ply + 1, -beta, -alpha);
        } else {
            value = -search(child, depth - 1, ply + 1, -alpha - 1, -alpha);
            if (value > alpha && value < beta)
                value = -search(child, depth - 1, ply + 1, -beta, -alpha);
        }
        if (value > best_value) {
            best_value = value;
            best_move = move;
            if (value > alpha)
                alpha = value;
            if (value >= beta) {
                reward(state, move, depth);
                break;
            }
        }
    }

    /* A deeper search of another state took more work and is kept. */
    if (entry->key == key || depth >= entry->depth)
        *entry = (Entry){
            .key = key,
            .value = to_table(best_value, ply),
            .move = (uint16_t)best_move,
            .depth = (int8_t)depth,
            .bound = best_value >= beta ? LOWER : best_value > old_alpha ? EXACT : UPPER,
        };
    return best_value;
}

int main(int argument_count, char **arguments) {
    int last = argument_count == 2 || argument_count == 5 ? atoi(arguments[1]) : 0;
    if (last < 1 || last > MAX_DEPTH) {
        fprintf(stderr, "usage: %s DEPTH [WHITE BLACK TURN], DEPTH from 1 to %d\n", arguments[0],
                MAX_DEPTH);
        return 2;
    }
    Bits army = BOTTOM | BOTTOM << COLUMNS;
    State root = {army, army << (CELLS - 2 * COLUMNS), 0};
    if (argument_count == 5)
        root = (State){strtoull(arguments[2], NULL, 16), strtoull(arguments[3], NULL, 16),
                       atoi(arguments[4])};
    size_t table_bytes = sizeof(Entry) << TABLE_BITS;
    table = aligned_alloc(64, table_bytes);
    if (table == NULL) {
        fprintf(stderr, "not enough memory for the table\n");
        return 1;
    }
    memset(table, 0, table_bytes); /* the first touch of the memory is not the search's work */
    double started = now();
    for (int depth = 1; depth <= last; depth++) {
        int value = search(root, depth, 0, -INFINITE, INFINITE);
        printf("%d %d %llu %.6f\n", depth, root.turn == 0 ? value : -value,
               (unsigned long long)nodes, now() - started);
        fflush(stdout);
    }
    double seconds = now() - started;
    printf("done %llu %.6f %.0f\n", (unsigned long long)nodes, seconds, nodes / seconds);
    free(table);
    return 0;
}
