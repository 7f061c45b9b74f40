import { useState } from 'react'
import type { WireToken } from '../../../src/http/shapes/account.ts'
import { useApi } from '../../api/app-state.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { ShowNextSecretStep } from './next-secret-step.tsx'
import { useReloadTokensOrSessions } from '../queries.ts'
import { PendingSecretStep, StartRotationStep } from './rotation-steps.tsx'
import { isNextSecretPending } from './rotation-state.ts'

/** Starts or completes a rotation. A new secret exists only in this dialog's state until it closes. */
export function RotateSecretDialog({
  opened,
  onClose,
}: {
  opened: WireToken
  onClose: () => void
}) {
  const api = useApi()
  const refresh = useReloadTokensOrSessions('tokens')
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
