import { el, write } from '../../common/dom.js'
import { icon } from './toolbar.js'

/** The caption layout since 2025-05: one row per turn, one text node per row. */
export function currentRegion({ texts, knobs }) {
  const jump = el('button', {}, icon('arrow_downward'), el('span', {}, texts.jump))
  const region = el(
    'div.vNKgIf.UDinHf',
    { role: 'region', tabindex: '0', 'aria-label': texts.captions },
    // The last two children are not captions. Readers count from the end.
    el('div'),
    el('div', {}, jump),
  )
  const element = el('div.iOzk7', { jsname: 'dsyhDe' }, region)
  return {
    element,
    add(speaker, name) {
      const picture = `https://lh3.googleusercontent.com/a/${encodeURIComponent(speaker.id)}`
      const text = el('div.ygicle.VbkSUe', {}, '')
      const row = el(
        'div.nMcdL.bj4p3b',
        {},
        el(
          'div.adE6rb',
          {},
          el('img', { 'data-iml': '1', src: picture, alt: '' }),
          el('div.KcIKyf.jxFHg', {}, el('span.NWpY1d', {}, name)),
        ),
        text,
      )
      region.insertBefore(row, region.children[region.children.length - 2])
      return { row, write: (words) => write(text, words, knobs.textBy) }
    },
  }
}

const KEPT_PHRASES = 3

/** The caption layout until 2024-07: one span per phrase. The oldest spans are removed. */
export function earlierRegion({ knobs }) {
  const list = el('div')
  const element = el('div.a4cQT', { jsname: 'dsyhDe' }, el('div', {}, list))
  return {
    element,
    add(speaker, name) {
      const spans = el('div.iTTPOb', { jsname: 'tgaKEf' })
      const row = el(
        'div.TBMuR.bj4p3b',
        {},
        el('img.KpxDtd', {
          src: `https://lh3.googleusercontent.com/a/${encodeURIComponent(speaker.id)}`,
          alt: '',
        }),
        el('div.zs7s8d.jxFHg', {}, name),
        el('div.Mz6pEf', { jsname: 'YSxPC' }, spans),
      )
      list.append(row)
      return { row, write: (words) => writePhrases(spans, words, knobs.textBy) }
    },
  }
}

function writePhrases(spans, words, by) {
  const phrases = (words.match(/[^.!?]+[.!?]*\s*/g) ?? [words]).slice(-KEPT_PHRASES)
  while (spans.children.length > phrases.length) spans.firstElementChild.remove()
  for (const [i, phrase] of phrases.entries()) {
    const span = spans.children[i] ?? spans.appendChild(el('span'))
    if (span.textContent !== phrase) write(span, phrase, by)
  }
}

/** The long language list that the page adds with the captions. A click selects a language. */
export function languageList({ texts, knobs }, choose) {
  const NODES_PER_LANGUAGE = 4
  const names = Object.entries(LANGUAGES)
  const count = Math.floor(knobs.junkNodes / NODES_PER_LANGUAGE)
  const items = Array.from({ length: count }, (_, i) => {
    const [code, name] = names[i] ?? [`x-${i}`, `Language ${i}`]
    return el(
      'li',
      { 'data-value': code, role: 'option', onclick: () => choose(code) },
      el('span', {}, el('span', {}, name), el('span', {}, code)),
    )
  })
  return el('ul.junk', { 'aria-label': texts.meetingLanguage }, ...items)
}

export const LANGUAGES = {
  'en-US': 'English',
  'es-MX': 'Spanish (Mexico)',
  'es-ES': 'Spanish (Spain)',
  'pt-BR': 'Portuguese (Brazil)',
  'fr-FR': 'French',
  'de-DE': 'German',
  'it-IT': 'Italian',
  'hu-HU': 'Hungarian',
}
