import type { MemberRole, ProjectAccess } from '../../../src/access/rules.ts'
import type { Viewer } from '../../../src/access/viewer.ts'
import { API_TOKEN_SCOPES } from '../../../src/accounts/roles.ts'
import { newId, newOrderedId } from '../../../src/lib/crypto.ts'
import type { AccessWorld, Credentials, ProjectThings } from './access-world.ts'

export type Caller = {
  viewer: Viewer | null
  roles: Partial<Record<SubjectName, MemberRole>>
  /** The projects that the caller may read, by hand, so that a mistake in src/access/rules.ts is noticed. */
  readable: PlantedName[]
} & Credentials
/** Each planted meeting, document and task contains `word` and the name of its project. */
export const PLANTED = ['own', 'others', 'team'] as const
export type PlantedName = (typeof PLANTED)[number]
export type SubjectName = PlantedName | 'missing'
export type Things = ProjectThings & { token: string; creatorId: string | null }

export const ACCESS: Record<PlantedName, ProjectAccess> = {
  own: 'private',
  others: 'private',
  team: 'team',
}
export const SUBJECT_NAMES: SubjectName[] = [...PLANTED, 'missing']
const MISSING: Things = {
  project: 'missing',
  meeting: 'meeting_1763195400000_k3v9x0q2m4za',
  action_item: 'action_4fJq0Zb1y9nB4Q2wKxT5',
  delivery: newOrderedId('dlv', new Date()),
  task: 'task-missing',
  execution: newOrderedId('execution', new Date()),
  calendar: newId('cal'),
  upcoming: newOrderedId('occ', new Date()),
  recording: newOrderedId('recording', new Date()),
  token: newId('tok'),
  creatorId: null,
}

/** Stores things in three projects, and creates a caller of each kind. */
export async function addMatrixCallers(
  world: AccessWorld,
): Promise<{ things: Record<SubjectName, Things>; callers: Record<string, Caller> }> {
  const [outside, reader, editor, owner, other, admin] = await Promise.all([
    world.addUser(),
    world.addUser(),
    world.addUser(),
    world.addUser(),
    world.addUser(),
    world.addUser('admin'),
  ])
  const service = await world.addToken({})
  const limits = { creatorId: owner.userId, projects: ['elsewhere'] }
  const [elsewhere, narrowed, narrowedService, scoped, scopedService] = await Promise.all([
    world.addToken(limits),
    world.addToken({ ...limits, projects: ['own'] }),
    world.addToken({ projects: ['own'] }),
    world.addToken({ creatorId: owner.userId, scopes: [...API_TOKEN_SCOPES] }),
    world.addToken({ scopes: [...API_TOKEN_SCOPES] }),
  ])
  const creators = { own: owner.userId, others: other.userId, team: admin.userId }
  const planted = await Promise.all(
    PLANTED.map(async (name) => {
      await world.setAccess(name, ACCESS[name])
      const token = await world.addToken({ creatorId: creators[name] })
      const planted = await world.plant(name, `word${name}`)
      return [name, { ...planted, token: token.id, creatorId: creators[name] }] as const
    }),
  )
  const stored = Object.fromEntries(planted) as Record<PlantedName, Things>
  const things = { ...stored, missing: MISSING }
  const members = { reader, editor, owner } as const
  for (const [role, { userId }] of Object.entries(members))
    await world.addMember('own', userId, role as MemberRole)
  await world.addMember('others', other.userId, 'owner')
  const shared = await world.app.inject({
    method: 'POST',
    url: `/api/v1/meetings/${things.own.meeting}/shares`,
    headers: owner.key,
    payload: {},
  })
  const secret = (JSON.parse(shared.body) as { url: string }).url.split('/s/')[1] ?? ''
  const toViewer = (userId: string, role: 'admin' | 'member' = 'member'): Viewer => ({
    kind: 'user',
    userId,
    role,
    projects: null,
  })
  const none = { key: {}, session: {} }
  const callers: Record<string, Caller> = {
    anonymous: { viewer: null, readable: [], roles: {}, ...none },
    // The secret of a share link opens only its own page.
    shareLink: {
      viewer: null,
      readable: [],
      roles: {},
      key: { 'x-api-key': secret, authorization: `Bearer ${secret}` },
      session: { cookie: `hansard=${secret}`, 'x-csrf-token': secret },
    },
    outside: { viewer: toViewer(outside.userId), readable: ['team'], roles: {}, ...outside },
    reader: {
      viewer: toViewer(reader.userId),
      readable: ['own', 'team'],
      roles: { own: 'reader' },
      ...reader,
    },
    editor: {
      viewer: toViewer(editor.userId),
      readable: ['own', 'team'],
      roles: { own: 'editor' },
      ...editor,
    },
    owner: {
      viewer: toViewer(owner.userId),
      readable: ['own', 'team'],
      roles: { own: 'owner' },
      ...owner,
    },
    admin: { viewer: toViewer(admin.userId, 'admin'), readable: ['team'], roles: {}, ...admin },
    service: {
      viewer: { kind: 'service', projects: null },
      readable: [...PLANTED],
      roles: {},
      ...none,
      ...service,
    },
    elsewhere: {
      viewer: { kind: 'user', userId: owner.userId, role: 'member', projects: ['elsewhere'] },
      readable: [],
      roles: { own: 'owner' },
      session: {},
      key: elsewhere.key,
    },
    narrowed: {
      viewer: { kind: 'user', userId: owner.userId, role: 'member', projects: ['own'] },
      readable: ['own'],
      roles: { own: 'owner' },
      session: {},
      key: narrowed.key,
    },
    narrowedService: {
      viewer: { kind: 'service', projects: ['own'] },
      readable: ['own'],
      roles: {},
      session: {},
      key: narrowedService.key,
    },
    scoped: {
      viewer: {
        kind: 'user',
        userId: owner.userId,
        role: 'member',
        projects: null,
        isScoped: true,
      },
      readable: ['own', 'team'],
      roles: { own: 'owner' },
      session: {},
      key: scoped.key,
    },
    scopedService: {
      viewer: { kind: 'service', projects: null, isScoped: true },
      readable: [...PLANTED],
      roles: {},
      session: {},
      key: scopedService.key,
    },
  }
  return { things, callers }
}
