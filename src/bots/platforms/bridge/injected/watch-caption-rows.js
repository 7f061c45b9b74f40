/** Changes within this time are sent as one message with the latest text of each row. */
const MIN_SEND_INTERVAL_MS = 40
/** No page shows this many rows. If a page changes more, the oldest changes are dropped. */
const MAX_ROWS = 200
const MAX_TEXT = 60_000
const MAX_SPEAKER = 500

/**
 * Reports changes of the caption rows. A row is one element. An element that is removed and inserted again is a new
 * row, because the page may reuse it for other text.
 */
export function watchCaptionRows({ find, findHidden }, send) {
  const idPrefix = crypto.randomUUID().slice(0, 8)
  let region = null
  let count = 0
  /** For each element: its id, the id of the row that was above it when it appeared, and the last sent text. */
  let rows = new Map()
  const changed = new Map()
  let sentAt = -MIN_SEND_INTERVAL_MS
  let flushedEarlyAt = -MIN_SEND_INTERVAL_MS
  let timer = 0
  const observer = new MutationObserver((records) => onMutations(records))

  function queueRow({ id, speaker, text, previousId }, isGone) {
    flushBeforeShrink(changed.get(id), text)
    changed.delete(id)
    changed.set(id, [id, speaker.slice(0, MAX_SPEAKER), text, isGone, previousId])
    if (changed.size > MAX_ROWS) changed.delete(changed.keys().next().value)
    if (timer !== 0) return
    const wait = sentAt + MIN_SEND_INTERVAL_MS - performance.now()
    if (wait <= 0) flush()
    else timer = setTimeout(flush, wait)
  }
  /** Before a row replaces its text with a shorter one, sends the longer text, but only as often as other changes. */
  function flushBeforeShrink(waiting, text) {
    if (waiting === undefined || text.length >= waiting[2].length / 2) return
    if (performance.now() - flushedEarlyAt < MIN_SEND_INTERVAL_MS) return
    flushedEarlyAt = performance.now()
    clearTimeout(timer)
    flush()
  }
  function flush() {
    timer = 0
    sentAt = performance.now()
    send(['rows', [...changed.values()]])
    changed.clear()
  }
  function read(element) {
    const row = rows.get(element)
    if (row === undefined) return
    const speaker = findHidden('captionSpeaker', element)[0]?.textContent ?? ''
    const text = (findHidden('captionText', element)[0]?.textContent ?? '').slice(-MAX_TEXT)
    if (row.text === text && row.speaker === speaker) return
    Object.assign(row, { speaker, text })
    queueRow(row, false)
  }
  function removeRow(element, row) {
    rows.delete(element)
    queueRow(row, true)
  }
  /**
   * Compares the rows in the page with the known ones. `moved` are elements that were inserted again. `isFirst` is true
   * if the region is new to the script, so its rows may show something said earlier.
   */
  function syncRows(moved, isFirst = false) {
    const now = new Set(findHidden('captionRow', region))
    for (const [element, row] of rows) {
      if (!now.has(element) || moved.has(element)) removeRow(element, row)
    }
    let previousId = isFirst ? null : ''
    for (const element of now) {
      if (!rows.has(element)) {
        rows.set(element, { id: `${idPrefix}-${++count}`, previousId, speaker: '', text: '' })
        read(element)
      }
      if (!isFirst) previousId = rows.get(element).id
    }
  }
  function onMutations(records) {
    const moved = new Set()
    const touched = new Set()
    let hasNew = false
    for (const { type, target, addedNodes, removedNodes } of records) {
      const row = rowAround(target)
      if (row !== null) touched.add(row)
      if (type !== 'childList' || row !== null) continue
      hasNew ||= addedNodes.length > 0 || removedNodes.length > 0
      for (const node of addedNodes)
        for (const known of elementsIn(node)) if (rows.has(known)) moved.add(known)
    }
    if (hasNew) syncRows(moved)
    for (const element of touched) read(element)
  }
  function rowAround(node) {
    for (let one = node; one !== null && one !== region; one = one.parentNode) {
      if (rows.has(one)) return one
    }
    return null
  }
  function attach(found) {
    observer.disconnect()
    for (const [element, row] of rows) removeRow(element, row)
    rows = new Map()
    region = found
    if (region === null) return
    observer.observe(region, { childList: true, characterData: true, subtree: true })
    syncRows(new Set(), true)
  }

  return {
    /** Called with each poll: the page may have replaced the caption region, and mutation events can be missing. */
    resync() {
      const found = region?.isConnected ? region : (find('captionsRegion').elements[0] ?? null)
      if (found !== region) attach(found)
      else if (region !== null) {
        syncRows(new Set())
        for (const element of [...rows.keys()].slice(-MAX_ROWS)) read(element)
      }
    },
  }
}

function elementsIn(node) {
  return node.nodeType === Node.ELEMENT_NODE ? [node, ...node.querySelectorAll('*')] : []
}
