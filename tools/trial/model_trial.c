/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The image that tests one model on a board: reads input vectors from a file of the machine that runs the test, runs the
 * model on each, writes the outputs to another file and tells on the console what it measured.
 *
 * inputs.bin holds, vector after vector, the bytes of every model input in the model's order; outputs.bin gets the same
 * of the outputs. Lines on the console:
 *
 *     stowage: inputs 1
 *     stowage: input_0_element 3               (the value in enum stw_element)
 *     stowage: input_0_bytes 64
 *     stowage: outputs 1                       (and so on, as for the inputs)
 *     stowage: vectors 360
 *     stowage: least_instructions 81233        (the unit is that of stw_hal_counter_unit)
 *     stowage: most_instructions 81233
 *     stowage: stack_high_water_bytes 480
 *     stowage: arena_high_water_bytes 1152     (the end of the highest byte that the caller or a run ever changed)
 *     stowage: further_0_high_water_bytes 512  (the same of each arena beside the main one)
 *     stowage: poison_violations 0             (poison build only)
 *     stowage: first_violation_step 3          (only where a step was caught at one, as are the next two)
 *     stowage: first_violation_arena 0         (the main one; 1 is the first beside it)
 *     stowage: first_violation_offset 768
 *
 * A model's states are reset once: the vectors are the steps of one stream.
 *
 * Arenas are painted before every vector, with a byte and its complement in turns, and what was painted over is looked
 * for. If that is less than the whole of each, the first vector runs once more on the other paint, since a byte may become
 * what it was painted with.
 *
 * Where STW_GUARD is defined, the model runs under guard: it can touch the arena and the stack alone.
 *
 * trial_model.h is written for the model under test and names its header, descriptor, entry, reset and arena.
 */
#include "stowage/model.h"
#include "stowage/poison.h"
#include "stowage_hal/hal.h"
#include "stowage_hal/host_file.h"
#include "trial_bands.h"
#include "trial_model.h"
#include "trial_paint.h"
#include "trial_run.h"

enum trial_status {
    TRIAL_DONE = 0,
    TRIAL_NO_FILE = 1,
    TRIAL_SHORT_FILE = 2,
    TRIAL_RUN_FAILED = 3,
    TRIAL_POISONED = 4,
    TRIAL_UNGUARDED = 5
};

struct trial {
    int32_t inputs;
    int32_t outputs;
    uint32_t vectors;
    uint64_t least;
    uint64_t most;
    struct painting painting;
};

static void tell(const char *name, uint64_t value) {
    stw_hal_print_text("stowage: ");
    stw_hal_print_text(name);
    stw_hal_print_text(" ");
    stw_hal_print_u64(value);
    stw_hal_print_text("\n");
}

static void tell_of_tensor(const char *kind, uint32_t index, const char *what, uint64_t value) {
    stw_hal_print_text("stowage: ");
    stw_hal_print_text(kind);
    stw_hal_print_text("_");
    stw_hal_print_u64(index);
    stw_hal_print_text(what);
    stw_hal_print_u64(value);
    stw_hal_print_text("\n");
}

static void tell_tensors(const char *kind, const char *kinds, const struct stw_tensor *tensors,
                         uint32_t count) {
    tell(kinds, count);
    for (uint32_t i = 0; i < count; i++) {
        tell_of_tensor(kind, i, "_element ", (uint64_t)tensors[i].element);
        tell_of_tensor(kind, i, "_bytes ", tensors[i].size_bytes);
    }
}

/*
 * Reads one vector into the arena. 1 when it is there, 0 at the end of the file, -1 where the file ends within it. A
 * model without inputs runs once.
 */
static int read_vector(const struct trial *trial) {
    if (STW_TRIAL_MODEL.input_count == 0u) {
        return trial->vectors == 0u;
    }
    for (uint32_t i = 0; i < STW_TRIAL_MODEL.input_count; i++) {
        const struct stw_tensor *input = &STW_TRIAL_MODEL.inputs[i];
        const int32_t count =
            stw_hal_file_read(trial->inputs, ARENA + input->offset_bytes, input->size_bytes);
        if (count == 0 && i == 0u) {
            return 0;
        }
        if (count < 0 || (uint32_t)count != input->size_bytes) {
            return -1;
        }
    }
    return 1;
}

static int write_outputs(const struct trial *trial) {
    for (uint32_t i = 0; i < STW_TRIAL_MODEL.output_count; i++) {
        const struct stw_tensor *output = &STW_TRIAL_MODEL.outputs[i];
        if (stw_hal_file_write(trial->outputs, ARENA + output->offset_bytes, output->size_bytes) != 0) {
            return -1;
        }
    }
    return 0;
}

static int run_once(struct trial *trial) {
    stw_hal_counter_start();
    const int status = run_on_arena();
    const uint64_t spent = stw_hal_counter_read();

    trial->least = (trial->vectors == 0u || spent < trial->least) ? spent : trial->least;
    trial->most = spent > trial->most ? spent : trial->most;
    trial->vectors++;
    return status;
}

static int status_of_run(struct trial *trial) {
    const int status = run_once(trial);

    if (status == (int)STW_OK) {
        return TRIAL_DONE;
    }
    return status == RUN_UNGUARDED ? TRIAL_UNGUARDED : TRIAL_RUN_FAILED;
}

#ifdef STW_POISON
static void prepare(void) {
    stw_poison_prepare(&STW_TRIAL_MODEL, ARENA);
    for (uint32_t i = 0; i < STW_TRIAL_MODEL.arena_count; i++) {
        stw_poison_watch(&STW_TRIAL_MODEL, i, further[i]);
    }
}

/* The watch notes the mark itself, since it fills what dies. */
static int measure_arena(struct trial *trial) {
    trial->painting.high_water_bytes = stw_poison_report()->high_water_bytes;
    memcpy(trial->painting.further_high_water_bytes, stw_poison_report()->further_high_water_bytes,
           sizeof trial->painting.further_high_water_bytes);
    return TRIAL_DONE;
}

static int judge_poison(void) {
    const struct stw_poison_report *report = stw_poison_report();
    const uint64_t watched = (uint64_t)report->stray_writes + report->clobbered_slots;
    const uint64_t violations = watched + band_violations();

    tell("poison_violations", violations);
    if (watched != 0u) {
        tell("first_violation_step", report->first_step);
        tell("first_violation_arena", report->first_arena);
        tell("first_violation_offset", report->first_offset);
    }
    return violations == 0u ? TRIAL_DONE : TRIAL_POISONED;
}
#else
static void prepare(void) {
}

/* Whether every arena is used to its end. */
static int is_used_up(const struct painting *painting) {
    int used_up = painting->high_water_bytes == STW_TRIAL_MODEL.arena_bytes;

    for (uint32_t k = 0; k < STW_TRIAL_MODEL.arena_count; k++) {
        used_up &= painting->further_high_water_bytes[k] == STW_TRIAL_MODEL.arenas[k].size_bytes;
    }
    return used_up;
}

/* Runs the first vector again on the paint that it has not run on, if an arena does not seem to be used to its end. */
static int measure_arena(struct trial *trial) {
    struct trial again = {.painting = trial->painting};

    if (trial->vectors == 0u || is_used_up(&trial->painting)) {
        return TRIAL_DONE;
    }
    again.painting.count = 1;
    again.inputs = stw_hal_file_open("inputs.bin", STW_HAL_FILE_READ);
    paint(&again.painting);
    if (again.inputs < 0 || STW_TRIAL_RESET(ARENA) != STW_OK || read_vector(&again) != 1) {
        return TRIAL_NO_FILE;
    }
    const int status = status_of_run(&again);
    raise_high_water(&again.painting);
    trial->painting = again.painting;
    (void)stw_hal_file_close(again.inputs);
    return status;
}

static int judge_poison(void) {
    return band_violations() == 0u ? TRIAL_DONE : TRIAL_POISONED;
}
#endif

static int run_all(struct trial *trial) {
    int more;

    paint(&trial->painting);
    while ((more = read_vector(trial)) == 1) {
        prepare();
        const int status = status_of_run(trial);
        if (status != TRIAL_DONE) {
            return status;
        }
        raise_high_water(&trial->painting);
        if (write_outputs(trial) != 0) {
            return TRIAL_NO_FILE;
        }
        paint(&trial->painting);
    }
    return more < 0 ? TRIAL_SHORT_FILE : measure_arena(trial);
}

int main(void) {
    struct trial trial = {0};

    stw_hal_init();
    trial.inputs = stw_hal_file_open("inputs.bin", STW_HAL_FILE_READ);
    trial.outputs = stw_hal_file_open("outputs.bin", STW_HAL_FILE_WRITE);
    if (trial.inputs < 0 || trial.outputs < 0) {
        return TRIAL_NO_FILE;
    }
    tell_tensors("input", "inputs", STW_TRIAL_MODEL.inputs, STW_TRIAL_MODEL.input_count);
    tell_tensors("output", "outputs", STW_TRIAL_MODEL.outputs, STW_TRIAL_MODEL.output_count);
    paint_bands();
    if (STW_TRIAL_RESET(ARENA) != STW_OK) {
        return TRIAL_RUN_FAILED;
    }
    const int status = run_all(&trial);
    (void)stw_hal_file_close(trial.outputs);
    (void)stw_hal_file_close(trial.inputs);
    tell("vectors", trial.vectors);
    tell("least_instructions", trial.least);
    tell("most_instructions", trial.most);
    tell("stack_high_water_bytes", stw_hal_stack_high_water_bytes());
    tell("arena_high_water_bytes", trial.painting.high_water_bytes);
    for (uint32_t i = 0; i < STW_TRIAL_MODEL.arena_count; i++) {
        tell_of_tensor("further", i, "_high_water_bytes ", trial.painting.further_high_water_bytes[i]);
    }
    return status == TRIAL_DONE ? judge_poison() : status;
}
