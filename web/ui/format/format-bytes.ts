import { formatCountWithNoun } from './format-text.ts'

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB']

/** 1 → "1 byte", 1,536 → "1.5 KB". */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  if (power === 0) return formatCountWithNoun(Math.round(bytes), 'byte')
  const value = bytes / 1000 ** power
  const digits = value >= 100 ? 0 : 1
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${UNITS[power]}`
}
