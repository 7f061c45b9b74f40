import { createPartFinder } from './find-parts.js'
import { observePage, summarizePage } from './observe-page.js'
import { readParticipants } from './read-participants.js'
import { watchCaptionRows } from './watch-caption-rows.js'

const PEOPLE_EVERY_MS = 500

/** Looks at the page again and again, and tells what has changed, or that nothing has. */
export function watchPage(send, table) {
  const finder = createPartFinder(table.parts)
  const rows = watchCaptionRows(finder, send)
  let paceMs = table.paceMs
  let last = ''
  let lastPeople = ''
  let peopleAt = -PEOPLE_EVERY_MS

  function tellPeople() {
    if (performance.now() - peopleAt < PEOPLE_EVERY_MS) return
    peopleAt = performance.now()
    const people = readParticipants(finder)
    const text = JSON.stringify(people)
    if (people === null || text === lastPeople) return
    lastPeople = text
    send(['people', people])
  }
  function turn() {
    try {
      const seen = observePage(finder, table)
      const text = JSON.stringify(seen)
      send(text === last ? ['same'] : ['look', seen])
      last = text
      rows.check()
      tellPeople()
    } catch (error) {
      send(['trouble', String(error).slice(0, 200)])
    }
    setTimeout(turn, paceMs)
  }
  turn()

  return {
    survey: summarizePage,
    pace(ms) {
      paceMs = ms
    },
  }
}
