import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { SignatureCheck, type SignatureCheckProps } from './signature-check.tsx'

type SignatureDialogProps = SignatureCheckProps & { onClose: () => void }

export function SignatureCheckDialog({ onClose, ...callback }: SignatureDialogProps) {
  return (
    <Dialog title="Check signature" size="lg" onClose={onClose}>
      <SignatureCheck {...callback} />
    </Dialog>
  )
}
