import { createFinder } from './find.js'
import { look, survey } from './look.js'
import { readPeople } from './people.js'
import { createRowWatch } from './rows.js'

const PEOPLE_EVERY_MS = 500

/** Looks at the page again and again, and tells what has changed, or that nothing has. */
export function watch(send, table) {
  const finder = createFinder(table.parts)
  const rows = createRowWatch(finder, send)
  let paceMs = table.paceMs
  let last = ''
  let lastPeople = ''
  let peopleAt = -PEOPLE_EVERY_MS

  function tellPeople() {
    if (performance.now() - peopleAt < PEOPLE_EVERY_MS) return
    peopleAt = performance.now()
    const people = readPeople(finder)
    const text = JSON.stringify(people)
    if (people === null || text === lastPeople) return
    lastPeople = text
    send(['people', people])
  }
  function turn() {
    try {
      const seen = look(finder, table)
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
    survey,
    pace(ms) {
      paceMs = ms
    },
  }
}
