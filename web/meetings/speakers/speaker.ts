/** The number of speaker colours: the classes `hue-0`, `hue-1` and so on of `speakers.css`. */
export const SPEAKER_HUE_COUNT = 24

/**
 * The colour number of a speaker. It depends only on the name, so a speaker has the same colour in every meeting, tab
 * and list. Speakers with the same colour differ by their initials.
 */
export function speakerHue(name: string): number {
  const text = name.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
  let hash = 0x81_1c_9d_c5
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01_00_01_93)
  }
  // FNV-1a leaves similar names close together in its low bits, so its bits are mixed before the remainder.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35)
  return ((hash ^ (hash >>> 16)) >>> 0) % SPEAKER_HUE_COUNT
}

/** The class that gives an element the colour of a speaker, even without a name. */
export function speakerHueClass(speaker: string): string {
  return `hue-${speakerHue(speakerDisplayName(speaker))}`
}

export function speakerDisplayName(speaker: string): string {
  return speaker === '' ? 'Unknown speaker' : speaker
}

const LETTER = /[\p{L}\p{N}]/u

/** A speaker's initials, at most two characters. Shown next to the speaker's colour to tell speakers apart. */
export function speakerInitials(name: string): string {
  const words = name.split(/\s+/).filter((word) => LETTER.test(word))
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return ends
    .map((word) => LETTER.exec(word ?? '?')?.[0] ?? '?')
    .join('')
    .toLocaleUpperCase()
}
