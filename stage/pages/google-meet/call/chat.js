import { el } from '../../common/dom.js'
import { sendReport } from '../../common/feed.js'
import { icon } from './toolbar.js'

/** The chat. Its list is added to the page when the chat first opens, and stays in it. */
export function createChatPanel({ texts, knobs }) {
  const list = el('div.Ge9Kpc', { 'aria-live': 'polite', jsname: 'xySENc' })
  const isEditable = knobs.chatField === 'editable'
  const box = isEditable
    ? el('div', { contenteditable: 'true' })
    : el('textarea', { 'aria-label': texts.send, placeholder: texts.send, maxlength: '500' })
  const field = isEditable ? el('div', { 'aria-label': texts.send }, box) : box
  const button = el('button', { 'aria-label': texts.send, onclick: send }, icon('send'))
  const panel = el(
    'div',
    { 'data-panel': 'chat' },
    el('div', { role: 'heading' }, texts.inCallMessages),
    list,
    field,
    button,
  )
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    send()
  })

  function send() {
    const text = (isEditable ? box.textContent : box.value).trim()
    if (isEditable) box.textContent = ''
    else box.value = ''
    if (text === '') return
    show({ text, messageId: `own-${list.children.length}`, from: { isSelf: true } })
    void sendReport({ kind: 'chat', text })
  }

  /** The nesting matters, because readers walk from first child to first child. */
  function show({ from, text, messageId }) {
    const time = el('div.MuzmKe', {}, '10:30')
    const header = from.isSelf
      ? el('div.QTyiie', {}, time)
      : el('div.QTyiie', {}, el('div.poVWob', {}, from.name), time)
    const words = el('div', { jsname: 'dTKtvb' }, text)
    const body = el(
      'div.beTDc',
      {},
      el('div', { 'data-message-id': messageId }, el('div', {}, words)),
    )
    const message = el('div', {}, header, body)
    list.append(el('div.Ss4fHf', {}, el('div', {}, el('div', {}, message))))
  }

  return {
    panel,
    add(message) {
      if (message.by.includes('page')) show(message)
    },
  }
}
