import { opensAgainAfter } from './cases/call.ts'
import { attends } from './conformance.ts'
import { TEAMS } from './profiles.ts'

attends(TEAMS, [
  // The words are the same as for a knock that nobody answers.
  ['a page that loses its connection in mid-call is opened again', opensAgainAfter('no-answer')],
])
