import { conforms } from './conformance.ts'
import { MEET } from './profiles.ts'

conforms(MEET)
