/** What Granola calls the sound of the person who records, and the sound of all others. */
const SOURCES: Readonly<Record<string, string>> = {
  microphone: 'Me',
  speaker: 'Them',
  system: 'Them',
}

/** The name of a speaker who may only have a number, which counts from 0, or a letter. Empty without a speaker. */
export function nameSpeaker(speaker: unknown): string {
  if (typeof speaker === 'number') {
    return Number.isSafeInteger(speaker) && speaker >= 0 ? `Speaker ${speaker + 1}` : ''
  }
  if (typeof speaker !== 'string') return ''
  const [, number] = /^(?:speaker|spk)[_-](\d{1,3})$/i.exec(speaker) ?? []
  if (number !== undefined) return `Speaker ${Number(number) + 1}`
  if (/^[A-Z]$/.test(speaker)) return `Speaker ${speaker}`
  return Object.hasOwn(SOURCES, speaker) ? (SOURCES[speaker] ?? '') : speaker
}
