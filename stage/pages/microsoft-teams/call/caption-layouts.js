import { el, write } from '../../common/dom.js'

/** The caption layout since 2025-07: a virtual list with one row per utterance. */
export function currentRenderer({ knobs }) {
  const flex = el('div.fui-Flex')
  const list = el('div', { 'data-tid': 'closed-caption-v2-virtual-list-content' }, flex)
  const element = el(
    'div.f419p8h',
    { 'data-tid': 'closed-caption-renderer-wrapper' },
    el('div', { 'data-tid': 'closed-caption-v2-window-wrapper' }, list),
  )
  return { element, list: flex, make: () => currentRow(knobs) }
}

/**
 * The text's element directly follows the name's element, because public readers rely on it. Only a host's page has the
 * marker next to the avatar.
 */
function currentRow({ view, textBy }) {
  const author = el('span', { 'data-tid': 'author' }, '')
  const text = el('span', { 'data-tid': 'closed-caption-text' }, '')
  const picture = el(
    'span.fui-Avatar',
    {},
    el('img', { alt: '', src: '/stage/pages/other-hosts/avatar.svg' }),
  )
  const marker = { 'data-tid': 'closed-captions-v2-items-renderer' }
  const holder = el('div', view === 'host' ? marker : {}, picture)
  const body = el(
    'div',
    {},
    el('div', {}, el('span.fui-ChatMessageCompact__author', {}, author)),
    el('div.fui-Flex', {}, text),
  )
  const message = el(
    'div.fui-ChatMessageCompact',
    { role: 'log' },
    el('div'),
    el('div.fui-ChatMessageCompact__avatar', {}, holder),
    el('i', { 'data-tabster-dummy': true }),
    el('div.fui-ChatMessageCompact__body', {}, body),
    el('i', { 'data-tabster-dummy': true }),
  )
  const row = el('div.fui-Flex', {}, el('div.fui-Flex', {}, el('div.fui-Flex', {}, message)))
  return {
    row,
    name(words, id) {
      if (view === 'host') holder.setAttribute('data-lpc-hover-target-id', `caption-${id}`)
      write(author, words, textBy)
    },
    write: (words) => write(text, words, textBy),
  }
}

/** The caption layout until 2025-05. */
export function earlierRenderer({ knobs }) {
  const list = el('ul.ui-chat')
  const element = el('div', { 'data-tid': 'closed-captions-renderer' }, list)
  return { element, list, make: () => earlierRow(knobs) }
}

function earlierRow({ textBy }) {
  const author = el('span.ui-chat__message__author', {}, '')
  const text = el('span.fui-StyledText', {}, '')
  const message = el('div.ui-chat__message', {}, el('div', {}, author), el('div', {}, text))
  const row = el('li.ui-chat__item', {}, message)
  return {
    row,
    name(words, id) {
      message.id = `caption-${id}`
      write(author, words, textBy)
    },
    write: (words) => write(text, words, textBy),
  }
}
