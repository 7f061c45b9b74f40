import { conforms } from './conformance.ts'
import { TEAMS } from './profiles.ts'

conforms(TEAMS)
