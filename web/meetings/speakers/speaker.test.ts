import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  SPEAKER_HUE_COUNT,
  speakerDisplayName,
  speakerHue,
  speakerHueClass,
  speakerInitials,
} from './speaker.ts'

test('the colour of a speaker depends on the name alone, not on spaces, case or how letters are composed', () => {
  // Literal values, because the colour must stay the same in later versions.
  assert.deepEqual(
    ['Ana Ribeiro', 'Ben Carter', 'Chika Mori', ''].map(speakerHue),
    [13, 19, 12, 11],
  )
  assert.equal(speakerHue(' ana   RIBEIRO '), speakerHue('Ana Ribeiro'))
  assert.equal(speakerHue('Jose\u0301'), speakerHue('Jos\u00e9'))
})

test('a speaker without a name has the colour of the name that is shown', () => {
  assert.equal(speakerHueClass(''), speakerHueClass(speakerDisplayName('')))
  assert.notEqual(speakerHue(''), speakerHue(speakerDisplayName('')))
})

test('names are spread evenly over all colours', () => {
  const counts = Array<number>(SPEAKER_HUE_COUNT).fill(0)
  for (let i = 0; i < 2_400; i += 1) {
    const hue = speakerHue(`Speaker ${i}`)
    counts[hue] = (counts[hue] ?? 0) + 1
  }
  assert.ok(Math.min(...counts) > 50 && Math.max(...counts) < 150, counts.join(' '))
})

test('initials are the first letters of the first and the last word', () => {
  assert.deepEqual(['Ana Maria Ribeiro', 'ben', '李 明', '(guest)', '??'].map(speakerInitials), [
    'AR',
    'B',
    '李明',
    'G',
    '?',
  ])
})

const css = readFileSync(new URL('speakers.css', import.meta.url), 'utf8')

test('every speaker colour reaches 4.5:1 on the page and on its soft ground, in both themes', () => {
  // Each hue belongs to a deep and a bright tone.
  const hues = [...css.matchAll(/\.hue-(\d+),\s+\.hue-(\d+) \{\s+--hue: (\d+);/g)].flatMap(
    ([, deep, bright, hue]) => [
      [Number(deep), Number(hue)] as const,
      [Number(bright), Number(hue)] as const,
    ],
  )
  assert.deepEqual(
    hues.map(([number]) => number).toSorted((a, b) => a - b),
    Array.from({ length: SPEAKER_HUE_COUNT }, (_, i) => i),
  )
  const shades = [...css.matchAll(/oklch\(([\d.]+) ([\d.]+) var\(--hue\)\)/g)].map(
    ([, lightness, chroma]) => [Number(lightness), Number(chroma)] as const,
  )
  // Each rule has the text and the soft background of the light theme, then of the dark theme.
  assert.equal(shades.length % 4, 0)
  for (let i = 0; i < shades.length; i += 4) {
    const [lightText, darkText, lightSoft, darkSoft] = shades.slice(i, i + 4)
    for (const [number, hue] of hues) {
      const luminance = ([lightness, chroma]: readonly [number, number] = [0, 0]) =>
        oklchLuminance(lightness, chroma, hue)
      // The light theme's darkest background has a luminance of about 0.9, the dark theme's lightest 0.027.
      const contrasts = [
        contrast(luminance(lightText), 0.9),
        contrast(luminance(lightText), luminance(lightSoft)),
        contrast(luminance(darkText), 0.027),
        contrast(luminance(darkText), luminance(darkSoft)),
      ]
      assert.ok(Math.min(...contrasts) >= 4.5, `hue-${number}: ${contrasts.join(' ')}`)
    }
  }
})

/** The relative luminance of WCAG. Colours outside of sRGB are clipped, as Chromium does. */
function oklchLuminance(lightness: number, chroma: number, hue: number): number {
  const angle = (hue * Math.PI) / 180
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)]
  const l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b) ** 3
  const m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b) ** 3
  const s = (lightness - 0.089_484_177_5 * a - 1.291_485_548 * b) ** 3
  const clip = (value: number) => Math.min(1, Math.max(0, value))
  const red = clip(4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s)
  const green = clip(-1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s)
  const blue = clip(-0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(first: number, second: number): number {
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}
