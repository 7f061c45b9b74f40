import { el, overlay } from '../../common/dom.js'
import { sendReport } from '../../common/feed.js'
import { icon } from './toolbar.js'
import { LANGUAGES } from './caption-layouts.js'

const LAYOUTS = ['Auto', 'Tiled', 'Spotlight', 'Sidebar']

/** The menu of the three-dots button, with layout and settings. */
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
      el('span.xo15nd', {}, name),
    ),
  )
  dialog(texts.close, el('h2', {}, texts.layout), ...choices)
}

/** Tabs with one pane each. The first one is open. */
function settings(texts) {
  const tabs = [
    [
      'Video',
      null,
      el('ul', { role: 'listbox' }, el('li', { 'aria-label': 'Audio only' }, 'Audio only')),
    ],
    [texts.captions, 'z4Tpl', languages()],
    ['Reactions', null, el('button', { 'aria-label': 'Show reactions from others' })],
  ]
  const panes = tabs.map(([, , content], i) => el('div', { hidden: i > 0 }, content))
  const buttons = tabs.map(([name, jsname], i) => {
    const open = () => {
      for (const [j, pane] of panes.entries()) pane.hidden = j !== i
    }
    return el(
      'button',
      { role: 'tab', 'aria-label': name, jsname, onclick: open },
      el('span', {}, name),
    )
  })
  dialog(texts.closeDialog, el('h2', {}, texts.settings), ...buttons, ...panes)
}

function languages() {
  const items = Object.entries(LANGUAGES).map(([code, name]) =>
    el(
      'li',
      {
        'data-value': code,
        role: 'option',
        onclick: () => sendReport({ kind: 'language', language: code }),
      },
      el('span', {}, name),
    ),
  )
  return el('ul', { role: 'listbox' }, ...items)
}
