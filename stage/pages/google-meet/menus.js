import { el, overlay } from '../common/dom.js'
import { tell } from '../common/feed.js'
import { icon } from './bar.js'
import { LANGUAGES } from './captions.js'

const LAYOUTS = ['Auto', 'Tiled', 'Spotlight', 'Sidebar']

/** The menu behind the three dots, with the layout and the settings. */
export function moreButton({ texts }) {
  let menu = null
  const item = (words, open, attributes = {}) =>
    el(
      'li',
      {
        ...attributes,
        role: 'menuitem',
        onclick() {
          shut()
          open()
        },
      },
      el('span', {}, words),
    )
  function shut() {
    menu?.remove()
    menu = null
  }
  function toggle() {
    if (menu) return shut()
    menu = overlay(
      el(
        'ul',
        { role: 'menu' },
        item(texts.layout, () => layout(texts), { jsname: 'WZerud' }),
        item(texts.settings, () => settings(texts)),
      ),
    )
  }
  return el(
    'button',
    { jsname: 'NakZHc', 'aria-label': texts.more, onclick: toggle },
    el('span', {}, icon('more_vert')),
  )
}

function dialog(closeLabel, ...children) {
  const box = overlay(
    el(
      'div',
      { role: 'dialog', 'aria-modal': 'true' },
      el('button', { 'aria-label': closeLabel, onclick: () => box.remove() }, icon('close')),
      ...children,
    ),
  )
}

function layout(texts) {
  const choices = LAYOUTS.map((name) =>
    el(
      'label',
      {},
      el('input', { type: 'radio', name: 'layout', value: name }),
      el('span', {}, name),
    ),
  )
  dialog(texts.close, el('h2', {}, texts.layout), ...choices)
}

function settings(texts) {
  const languages = Object.entries(LANGUAGES).map(([code, name]) =>
    el(
      'li',
      {
        'data-value': code,
        role: 'option',
        onclick: () => tell({ kind: 'language', language: code }),
      },
      el('span', {}, name),
    ),
  )
  const pane = el('div', { hidden: true }, el('ul', { role: 'listbox' }, ...languages))
  const tab = (name, jsname, open) =>
    el('button', { role: 'tab', 'aria-label': name, jsname, onclick: open }, el('span', {}, name))
  dialog(
    texts.closeDialog,
    el('h2', {}, texts.settings),
    tab('Video', null, () => {
      pane.hidden = true
    }),
    tab(texts.captions, 'z4Tpl', () => {
      pane.hidden = false
    }),
    pane,
  )
}
