import { Stack, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ApiShare } from '../../src/http/shapes/shares.ts'
import type { ShareState } from '../../src/http/shapes/values.ts'
import { useApi, useReload, useApiQuery } from '../api/use-api.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { formatAbsolute } from '../ui/format/time-texts.ts'
import { Time } from '../ui/format/time.tsx'
import { ConfirmButton } from '../ui/dialogs.tsx'
import { Hint } from '../ui/text.tsx'

interface ShareListProps {
  /** The owner of the links. */
  owner: { meetingId: string } | { project: string }
  shares: ApiShare[]
  /** Renders what each link shows, for a list of links to several things. */
  renderSubject?: (share: ApiShare) => ReactNode
  onRevoked?: (shareId: string) => void
}

/** Links with their last use, newest first. Ended links say why they ended. */
export function ShareList({ owner, shares, renderSubject, onRevoked }: ShareListProps) {
  const api = useApi()
  const reload = useReload('shares')
  const revoke = async (shareId: string) => {
    await ('meetingId' in owner
      ? api.meetings.removeShare(owner.meetingId, shareId)
      : api.projects.removeShare(owner.project, shareId))
    onRevoked?.(shareId)
    await reload()
  }
  return (
    <Stack component="ul" className="plain-list" aria-label="Share links" gap="sm">
      {shares.map((share) => (
        <li key={share.shareId}>
          <Group justify="space-between" gap="sm" align="flex-start">
            <div className="break-anywhere">
              {renderSubject?.(share)}
              <ShareDescription share={share} />
            </div>
            {canRevokeShare(share.state) && (
              <ConfirmButton
                label="Revoke"
                ariaLabel={`Revoke the link of ${formatAbsolute(share.createdAt, 'minute')}`}
                question="The link stops working immediately. This cannot be undone."
                confirmLabel="Revoke link"
                onConfirm={() => revoke(share.shareId)}
              />
            )}
          </Group>
        </li>
      ))}
    </Stack>
  )
}

function ShareDescription({ share }: { share: ApiShare }) {
  return (
    <>
      <Text size="sm" fw={600}>
        {SHARE_STATE_LABELS[share.state]}
        {share.hasPassword && ' · with password'}
      </Text>
      {share.recipient !== null && (
        <Text size="sm">
          Mailed to <bdi>{share.recipient}</bdi> with the recap
        </Text>
      )}
      <Hint>
        Created <Time at={share.createdAt} show="minute" />
        {share.createdBy !== null && ` by ${share.createdBy}`} · expires{' '}
        <Time at={share.expiresAt} show="day" /> · <UseText share={share} />
      </Hint>
    </>
  )
}

function UseText({ share: { useCount, lastUsedAt } }: { share: ApiShare }) {
  if (lastUsedAt === null) return 'not opened yet'
  return (
    <>
      opened {formatCountWithNoun(useCount, 'time')}, last <Time at={lastUsedAt} show="ago" />
    </>
  )
}

const SHARE_STATE_LABELS: Readonly<Record<ShareState, string>> = {
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
  made_private: 'Ended: the project was made private',
  moved: 'Ended: the meeting was moved',
  document_removed: 'Ended: the document was removed',
  creator_not_owner: 'Ended: the person who created it no longer owns the project',
  token_revoked: 'Ended: the API token that created it was revoked',
}

/** True if the link opens, or would open again if its creator became an owner again. */
export function canRevokeShare(state: ShareState): boolean {
  return state === 'active' || state === 'creator_not_owner'
}

/** What a link shows. */
export type SharedSubject = { meetingId: string } | { project: string; path: string }

/** The links to one meeting or document. */
export const useShares = (subject: SharedSubject) =>
  useApiQuery(['shares', subject], (api) =>
    'meetingId' in subject
      ? api.meetings.shares(subject.meetingId)
      : api.projects.shares(subject.project, { path: subject.path }),
  )

/** All share links of a project, for its owners. */
export const useProjectShares = (project: string) =>
  useApiQuery(['shares', { project }], (api) => api.projects.shares(project))
