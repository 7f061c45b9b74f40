import { Stack, Text, Checkbox, Group, Button, List, Code } from '@mantine/core'
import { useState } from 'react'
import type { ApiListedToken } from '../../../src/http/shapes/account.ts'
import { useApi, useReload } from '../../api/use-api.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialogs.tsx'
import { ErrorBox } from '../../ui/feedback/feedback.tsx'
import { Time, useNowEvery30Seconds } from '../../ui/format/time.tsx'
import { type Action, useAction, ActionButton } from '../../ui/forms.tsx'

/** Starts or completes a rotation. A new secret exists only in this dialog's state until it closes. */
export function RotateSecretDialog({
  opened,
  onClose,
}: {
  opened: ApiListedToken
  onClose: () => void
}) {
  const api = useApi()
  const refresh = useReload('tokens')
  const [isPending] = useState(() => isNextSecretPending(opened, Date.now()))
  const [newSecret, setNewSecret] = useState<string | null>(null)

  const create = useAction(async () => {
    setNewSecret((await api.tokens.nextSecret(opened.id)).signingSecret)
    void refresh()
  })
  const finish = useAction(async (step: 'activate' | 'cancel') => {
    await (step === 'activate'
      ? api.tokens.nextSecretActivate(opened.id)
      : api.tokens.removeNextSecret(opened.id))
    await refresh()
    onClose()
  })
  const activate = () => void finish.run('activate')
  const cancel = () => void finish.run('cancel')

  return (
    <Dialog
      size="lg"
      title={`Rotate signing secret of “${opened.name}”`}
      isPersistent={newSecret !== null}
      onClose={onClose}
    >
      {newSecret !== null ? (
        <ShowNextSecretStep
          secret={newSecret}
          action={finish}
          onActivate={activate}
          onLater={onClose}
        />
      ) : isPending ? (
        <PendingSecretStep
          token={opened}
          action={finish}
          onActivate={activate}
          onCancel={cancel}
          onClose={onClose}
        />
      ) : (
        <StartRotationStep token={opened} action={create} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface NextSecretStepProps {
  secret: string
  action: { isRunning: boolean; error: unknown }
  onActivate: () => void
  onLater: () => void
}

/** Shows the next signing secret, which is shown only once. */
function ShowNextSecretStep({ secret, action, onActivate, onLater }: NextSecretStepProps) {
  const [isStored, setStored] = useState(false)
  const [isCopied, setCopied] = useState(false)
  const mayLeave = isStored || isCopied
  return (
    <Stack gap="md">
      <Text>
        This value is shown only once. Add it to your receivers next to the current secret, then
        activate it here or later from the token list. It is activated automatically after 24 hours.
      </Text>
      <CopyField
        label="Next signing secret"
        value={secret}
        what="next signing secret"
        hasAutofocus
        onCopied={() => setCopied(true)}
      />
      <Checkbox
        label="I have stored it"
        checked={isStored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <ErrorBox error={action.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onLater} disabled={!mayLeave}>
          Activate later
        </Button>
        <Button onClick={onActivate} disabled={!mayLeave} loading={action.isRunning}>
          Activate
        </Button>
      </Group>
    </Stack>
  )
}

interface StartRotationStepProps {
  token: ApiListedToken
  action: Action<[]>
  onClose: () => void
}

function StartRotationStep({ token, action, onClose }: StartRotationStepProps) {
  return (
    <Stack gap="md">
      <Text>
        This replaces the signing secret that your receivers use to check callbacks. The API key of
        this token stays the same, and programs that use it keep working. To replace the API key,
        create a new token and revoke this one.
      </Text>
      <Text>Rotation takes two steps, so that your receivers never reject a callback:</Text>
      <List type="ordered" spacing="xs">
        <List.Item>
          Create the next secret and add it to your receivers next to the current one. From then on,{' '}
          <Code>webhook-signature</Code> is valid with both.
        </List.Item>
        <List.Item>
          Activate it. From then on, <Code>X-Service-Signature</Code> uses it too, and{' '}
          <Code>webhook-signature</Code> still includes the old secret for 24 hours.
        </List.Item>
      </List>
      <Text>
        If you skip the second step, the next secret is activated automatically after 24 hours.
      </Text>
      <OldSecretNote token={token} />
      <ErrorBox error={action.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <ActionButton action={action} data-autofocus>
          Create next secret
        </ActionButton>
      </Group>
    </Stack>
  )
}

interface PendingSecretStepProps {
  token: ApiListedToken
  action: { isRunning: boolean; error: unknown }
  onActivate: () => void
  onCancel: () => void
  onClose: () => void
}

function PendingSecretStep(props: PendingSecretStepProps) {
  const { token, action, onActivate, onCancel, onClose } = props
  return (
    <Stack gap="md">
      <Text>
        The next secret was created on{' '}
        {token.nextSecretSince && <Time at={token.nextSecretSince} show="minute" />}. Activate it
        once your receivers accept it. It is activated automatically{' '}
        {token.nextSecretDue && <Time at={token.nextSecretDue} show="relative" />}.
      </Text>
      <Text>
        If you lost the next secret, cancel the rotation and start again. The current secret stays
        valid. The API key does not change.
      </Text>
      <OldSecretNote token={token} />
      <ErrorBox error={action.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Close
        </Button>
        <Button variant="default" onClick={onCancel} disabled={action.isRunning}>
          Cancel rotation
        </Button>
        <Button onClick={onActivate} loading={action.isRunning}>
          Activate
        </Button>
      </Group>
    </Stack>
  )
}

/** Warns that activating another secret ends the previous one, because only one old secret stays valid. */
function OldSecretNote({ token }: { token: ApiListedToken }) {
  const now = useNowEvery30Seconds()
  const until = token.oldSecretUntil
  if (until === null || !isOldSecretValid(token, now)) return null
  return (
    <Text>
      The previous secret is valid until <Time at={until} show="minute" />. Activating another
      secret makes it invalid.
    </Text>
  )
}

/** False after the next secret's activation time, because the service then already signs with it. */
export function isNextSecretPending({ nextSecretDue }: ApiListedToken, now: number): boolean {
  return nextSecretDue !== null && Date.parse(nextSecretDue) > now
}

export function isOldSecretValid({ oldSecretUntil }: ApiListedToken, now: number): boolean {
  return oldSecretUntil !== null && Date.parse(oldSecretUntil) > now
}
