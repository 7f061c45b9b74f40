import { el } from '../../common/dom.js'
import { sendReport } from '../../common/feed.js'
import { shownName } from './people.js'

/** The chat. As on the platform, messages are in the page only while its pane is open. */
export function createChat(page, ownParticipant) {
  const { texts, knobs } = page
  const list = el('div', { id: 'chat-pane-list', role: 'list' })
  const box = el('div', {
    contenteditable: 'true',
    role: 'textbox',
    'aria-label': texts.typeMessage,
    placeholder: texts.typeMessage,
  })
  const pane = el('div', { 'data-tid': 'chat-pane' }, list, box)
  const chatService = { onMessageReceived: ({ data }) => showEvents(data.chatServiceBatchEvent) }
  // The platform binds the function before it passes events to it, so readers hook `bind`.
  const onMessageReceived = chatService.onMessageReceived.bind(chatService)
  /** What the pane shows for each message. An event has only the platform's id of its author. */
  const messages = new Map()

  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    const text = box.textContent.trim()
    box.textContent = ''
    if (text === '') return
    const messageId = `own-${list.children.length}`
    receive({ text, messageId, from: ownParticipant(), by: knobs.chatBy })
    void sendReport({ kind: 'chat', text })
  })

  function receive(message) {
    if (!message.by.includes('wire')) return show(message)
    messages.set(message.messageId, message)
    onMessageReceived({ data: { chatServiceBatchEvent: [{ message: eventOf(message) }] } })
  }
  function showEvents(events) {
    for (const { message } of events) {
      show(messages.get(message.clientMessageId))
      messages.delete(message.clientMessageId)
    }
  }
  function show({ from, text, messageId, by }) {
    if (!from.isSelf && !by.includes('page')) return
    const message = el(
      'div',
      { 'data-tid': 'chat-pane-message' },
      el('span', { 'data-tid': 'message-author-name' }, shownName(from)),
      el('time', { datetime: new Date().toISOString() }),
      el('div', { id: `content-${messageId}`, 'data-tid': 'messageBodyContent' }, text),
    )
    list.append(el('div', { 'data-tid': 'chat-pane-item' }, message))
  }

  return { pane, add: receive }
}

/** A message in the format of the chat service. */
function eventOf({ from, text, messageId }) {
  const paragraph = el('p', {}, text)
  return {
    clientMessageId: messageId,
    from: `https://teams.microsoft.com/api/chatsvc/stage/v1/users/ME/contacts/${from.mri}`,
    imDisplayName: from.name,
    content: paragraph.outerHTML,
    messageType: 'RichText/Html',
    originalArrivalTime: new Date().toISOString(),
  }
}
