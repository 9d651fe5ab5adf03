import { IconHeadphones } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { askToSignIn } from '../membership/pendingAction.ts'
import { isSignedIn } from '../platform/session.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { listName } from './digList.ts'
import * as texts from './texts.ts'

type Props = {
  list: string | undefined
  title?: string | undefined
  disabled?: boolean
  /** Also shows its name. */
  isLabelled?: boolean
}

/** Opens a list for digging; visitors are asked to sign in first. Not shown for a collection that is no list. */
export function DigButton({ list, title, disabled, isLabelled }: Props) {
  const navigate = useNavigate()
  if (!list) return null
  const open = () =>
    isSignedIn()
      ? void navigate({ to: '/dig/$list', params: { list } })
      : askToSignIn('dig', [list], listName(list, title))
  if (isLabelled)
    return (
      <Button title={texts.digLabel} disabled={disabled} onClick={open}>
        <IconHeadphones size={18} stroke={1.8} aria-hidden />
        {texts.dig}
      </Button>
    )
  return (
    <IconButton label={texts.dig} tooltip={texts.digLabel} disabled={disabled} onClick={open}>
      <IconHeadphones size={18} stroke={1.8} />
    </IconButton>
  )
}
