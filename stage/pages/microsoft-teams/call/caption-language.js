import { el, overlay } from '../../common/dom.js'
import { sendReport } from '../../common/feed.js'

const LANGUAGES = ['en-us', 'en-gb', 'de-de', 'es-es', 'fr-fr', 'it-it', 'hu-hu', 'pt-br', 'ja-jp']

/** The spoken language of captions. The calling library or the caption settings can change it. */
export function createLanguage({ knobs, texts }) {
  let language = knobs.captionLanguage.toLowerCase()

  function set(wanted) {
    language = wanted
    void sendReport({ kind: 'language', language: wanted })
  }
  /** A choice takes effect only after it is confirmed. */
  function openSettings() {
    let chosen = language
    const choice = el(
      'button',
      { role: 'combobox', 'aria-label': texts.spokenLanguage, 'aria-expanded': 'false' },
      chosen,
    )
    const list = el('div', { role: 'listbox', hidden: true }, ...LANGUAGES.map(option))
    function option(tag) {
      return el('div', { role: 'option', 'data-value': tag, onclick: () => pick(tag) }, tag)
    }
    function pick(tag) {
      chosen = tag
      choice.textContent = tag
      list.hidden = true
      choice.setAttribute('aria-expanded', 'false')
    }
    choice.addEventListener('click', () => {
      list.hidden = !list.hidden
      choice.setAttribute('aria-expanded', String(!list.hidden))
    })
    const box = overlay(
      el(
        'div',
        { role: 'dialog', 'aria-modal': 'true', 'data-tid': 'caption-settings' },
        el('h2', {}, texts.captionSettings),
        el('span', {}, texts.spokenLanguage),
        choice,
        list,
        button('caption-settings-update', texts.update, () => set(chosen)),
        button('caption-settings-cancel', texts.cancel, () => undefined),
      ),
    )
    function button(tid, words, act) {
      const close = () => {
        act()
        box.remove()
      }
      return el('button', { 'data-tid': tid, onclick: close }, words)
    }
  }
  return { get: () => language, set, openSettings }
}
