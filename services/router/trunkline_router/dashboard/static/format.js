// Numbers, times, durations and failures as people read them.

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const MOMENT = new Intl.DateTimeFormat(undefined, {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const NONE = "–";

/** @param {number} seconds since the epoch */
export function clock(seconds) {
  return CLOCK.format(new Date(seconds * 1000));
}

/** @param {number} seconds since the epoch */
export function moment(seconds) {
  return MOMENT.format(new Date(seconds * 1000));
}

/** @param {number} value */
export function whole(value) {
  return WHOLE.format(value);
}

/** Return a number in few characters: 12.3K. @param {number} value */
export function short(value) {
  return Math.abs(value) < 10000 ? WHOLE.format(value) : SHORT.format(value);
}

/** @param {number | null | undefined} value a share between 0 and 1 */
export function percent(value) {
  return value === null || value === undefined || Number.isNaN(value)
    ? NONE
    : `${(value * 100).toFixed(value > 0 && value < 0.1 ? 1 : 0)} %`;
}

/** @param {number | null | undefined} value per second */
export function rate(value) {
  if (value === 0) {
    return "0/s";
  }
  return value === null || value === undefined
    ? NONE
    : `${value < 10 ? value.toFixed(1) : WHOLE.format(value)}/s`;
}

/** @param {number | null | undefined} ms */
export function duration(ms) {
  if (ms === null || ms === undefined) {
    return NONE;
  }
  if (ms === 0) {
    return "0 ms";
  }
  if (ms < 1) {
    return `${ms.toFixed(2)} ms`;
  }
  if (ms < 999.5) {
    return `${ms < 10 ? ms.toFixed(1) : WHOLE.format(ms)} ms`;
  }
  return ms < 60000 ? `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s` : span(ms / 1000);
}

/** Return a length of time in its two largest units. @param {number} seconds */
export function span(seconds) {
  const left = Math.max(0, Math.round(seconds));
  if (left < 60) {
    return `${left} s`;
  }
  if (left < 3600) {
    return left % 60 ? `${Math.floor(left / 60)} min ${left % 60} s` : `${left / 60} min`;
  }
  return `${Math.floor(left / 3600)} h ${Math.floor((left % 3600) / 60)} min`;
}

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${WHOLE.format(count)} ${count === 1 ? one : many}`;
}

/** Return any value as readable JSON. @param {unknown} value */
export function json(value) {
  return JSON.stringify(value, null, 2) ?? "";
}

/** Return any attribute in one line. @param {unknown} value */
export function plain(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Return what there is to read of anything that was thrown. @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
