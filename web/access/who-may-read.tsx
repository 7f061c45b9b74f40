import { useDebouncedValue } from '@mantine/hooks'
import { isNotFoundError } from '../api/api-error.ts'
import { useAppState, useSignedInUser } from '../api/use-api.tsx'
import { formatNames } from './access-labels.ts'
import { type ProjectAccessAndMembers, useProjectAccess } from './queries.ts'
import { Hint } from '../ui/text.tsx'

/** The project of meetings that are started without one. It is always a team project. */
const DEFAULT_PROJECT = 'api'
const TYPING_PAUSE_MS = 300

interface WhoMayReadProps {
  project: string
  /** What people read, as in "read the meeting". */
  what: string
  /** True if the user's private project is used when no project is named. */
  isPrivateByDefault?: boolean
}

/** Says in plain words who will be able to read something in this project. */
export function WhoMayRead({ project, what, isPrivateByDefault = false }: WhoMayReadProps) {
  const isOwnProject = isPrivateByDefault && project.trim() === ''
  const [named] = useDebouncedValue(project.trim() || DEFAULT_PROJECT, TYPING_PAUSE_MS)
  const { newProjectAccess } = useAppState()
  const me = useSignedInUser()
  const { data, error } = useProjectAccess(named)
  const created: ProjectAccessAndMembers = {
    access: named === DEFAULT_PROJECT ? 'team' : newProjectAccess,
    members: [],
    adminEntries: [],
  }
  const known = isNotFoundError(error) ? created : data
  const failed = error === null ? '' : 'Hansard couldn’t check who can read this project.'
  // Always rendered, because screen readers announce only changes of a region that exists.
  return (
    <Hint aria-live="polite">
      {isOwnProject
        ? `Only you and people you add to your private project will be able to read ${what}.`
        : known === undefined
          ? failed
          : describeReaders(known, me.id, what)}
    </Hint>
  )
}

function describeReaders(
  { access, members }: ProjectAccessAndMembers,
  myId: string,
  what: string,
): string {
  if (access === 'team') return `Everyone who can sign in will be able to read ${what}.`
  const others = members.filter(({ userId }) => userId !== myId).map(({ name }) => name)
  if (others.length === 0)
    return `Only you will be able to read ${what}, until you add members to the project.`
  return `Only the members of the project will be able to read ${what}: ${formatNames(['you', ...others])}.`
}
