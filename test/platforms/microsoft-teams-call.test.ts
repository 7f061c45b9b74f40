import { rejoinsAfter } from './cases/call.ts'
import { testAttending } from './conformance.ts'
import { TEAMS } from './profiles.ts'

testAttending(TEAMS, [
  // The words are the same as for a knock that nobody answers.
  ['a page that loses its connection in mid-call is opened again', rejoinsAfter('no-answer')],
])
