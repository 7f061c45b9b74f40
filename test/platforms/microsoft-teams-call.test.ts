import { crashedPageCase, rejoinsAfter } from './cases/call.ts'
import { captionProblemsCase, recycledRowsCase, setsLanguage } from './cases/captions.ts'
import { chatFloodCase } from './cases/chat.ts'
import { onlySpeechCase } from './cases/speech.ts'
import { testAttending } from './conformance.ts'
import { TEAMS } from './profiles.ts'

testAttending(TEAMS, [
  onlySpeechCase,
  chatFloodCase,
  recycledRowsCase,
  captionProblemsCase,
  setsLanguage({ hasInternals: false, view: 'host' }),
  // The page shows the same text as after a request to join that no participant answers.
  ['a page that loses its connection in mid-call is opened again', rejoinsAfter('no-answer')],
  crashedPageCase,
])
