/**
 * Reads Google Meet by icons and position. It starts with the icon for leaving, clicks the one for captions, takes the
 * first focusable region, and accepts only text that changes in place in the third row from the end.
 */
;(() => {
  const heard = { isStarted: false, hasLeft: false, blocks: [], messages: [] }
  window.newestRow = heard
  const symbol = (word) =>
    [...document.querySelectorAll('.google-symbols')].find(
      ({ textContent }) => textContent === word,
    )

  function onText({ type, target }) {
    if (type !== 'characterData') return
    const text = target.parentElement
    const row = text.parentElement
    const rows = [...row.parentElement.children]
    if (rows.at(-3) !== row) return
    const [name, words] = [text.previousSibling.textContent, text.textContent]
    const last = heard.blocks.at(-1)
    if (last?.name === name) last.words = words
    else heard.blocks.push({ name, words })
  }
  function onChat(list) {
    const message = list.lastChild?.firstChild?.firstChild?.lastChild
    if (!message) return
    const header = message.firstChild
    const name = header.childNodes.length === 1 ? 'self' : header.firstChild.textContent
    const words = message.lastChild.lastChild.firstChild.firstChild.firstChild.textContent
    heard.messages.push({ name, words })
  }
  function watch(node, act) {
    const everything = { childList: true, attributes: true, subtree: true, characterData: true }
    new MutationObserver(act).observe(node, everything)
  }
  function when(find, act) {
    const found = find()
    if (found) act(found)
    else requestAnimationFrame(() => when(find, act))
  }

  when(
    () => symbol('call_end'),
    (end) => {
      heard.isStarted = true
      end.parentElement.parentElement.addEventListener('click', () => {
        heard.hasLeft = true
      })
    },
  )
  when(
    () => symbol('closed_caption_off'),
    (captions) => {
      captions.click()
      const region = () => document.querySelector('div[role="region"][tabindex="0"]')
      when(region, (found) => watch(found, (records) => records.forEach(onText)))
    },
  )
  when(
    () => symbol('chat'),
    (chat) => {
      chat.click()
      const list = () => document.querySelector('div[aria-live="polite"].Ge9Kpc')
      when(list, (found) => {
        chat.click()
        watch(found, () => onChat(found))
      })
    },
  )
})()
