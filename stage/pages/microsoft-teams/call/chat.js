import { el } from '../../common/dom.js'
import { sendReport } from '../../common/feed.js'
import { shownName } from './people.js'

/** The chat. As on the platform, messages are in the page only while its pane is open. */
export function createChat(page) {
  const { texts } = page
  const list = el('div', { id: 'chat-pane-list', role: 'list' })
  const box = el('div', {
    contenteditable: 'true',
    role: 'textbox',
    'aria-label': texts.typeMessage,
    placeholder: texts.typeMessage,
  })
  const pane = el('div', { 'data-tid': 'chat-pane' }, list, box)
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    const text = box.textContent.trim()
    box.textContent = ''
    if (text === '') return
    add({ text, messageId: `own-${list.children.length}`, from: { name: page.name, isSelf: true } })
    void sendReport({ kind: 'chat', text })
  })

  function add({ from, text, messageId }) {
    const message = el(
      'div',
      { 'data-tid': 'chat-pane-message' },
      el('span', { 'data-tid': 'message-author-name' }, shownName(from)),
      el('time', { datetime: new Date().toISOString() }),
      el('div', { id: `content-${messageId}`, 'data-tid': 'messageBodyContent' }, text),
    )
    list.append(el('div', { 'data-tid': 'chat-pane-item' }, message))
  }

  return { pane, add }
}
