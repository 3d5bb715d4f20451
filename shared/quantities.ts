/** A span of time for people: `0 ms`, `340 ms`, `14.2 s`, `3 min 5 s`, `2 h 10 min`. */
export function durationText(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return joined(Math.floor(whole / 60), 'min', whole % 60, 's');
  const minutes = Math.round(seconds / 60);
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

/** How long ago something was, in its largest unit: `just now`, `5 min ago`, `2 h ago`, `3 days ago`. */
export function agoText(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}

/** A number of bytes for people: `812 B`, `4.1 KB`, `12 MB`. */
export function bytesText(bytes: number): string {
  let amount = bytes;
  for (const unit of ['B', 'KB', 'MB', 'GB']) {
    if (amount < 999.5 || unit === 'GB') {
      return `${unit === 'B' || amount >= 9.95 ? Math.round(amount) : amount.toFixed(1)} ${unit}`;
    }
    amount /= 1024;
  }
  throw new Error('Unreachable: the last unit returns');
}

/** `1 skill`, `2 skills`. */
export function countText(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
