/** A count with its noun: "1 line", "2 lines". */
export function formatCountWithNoun(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** Seconds as a clock: 75 → "1:15", 3,725 → "1:02:05". */
export function formatSecondsAsClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

/** The IANA name of the viewer's time zone. */
export const BROWSER_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB']

/** 1 → "1 byte", 1,536 → "1.5 KB". */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  if (power === 0) return formatCountWithNoun(Math.round(bytes), 'byte')
  const value = bytes / 1000 ** power
  const digits = value >= 100 ? 0 : 1
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${UNITS[power]}`
}

/** Characters that change the direction of the text after them. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * A name from outside, as pages show it. With a right-to-left override, an executable file could look like a PDF file,
 * so characters that change the direction become visible and lose their effect. Names in right-to-left scripts need
 * none.
 */
export function markDirectionControls(name: string): string {
  return name.replaceAll(DIRECTION_CONTROLS, '\ufffd')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
