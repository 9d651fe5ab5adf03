import '../styles/mantine-forms.css'
import { Modal } from '@mantine/core'
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import css from './Dialog.module.css'
import { Mantine } from './Mantine.tsx'

type Props = {
  title: string
  /** For content that is compared side by side. */
  isWide?: boolean
  /** `auto` for the width of its content. */
  size?: 'auto'
  onClose: () => void
  children: ReactNode
}

/** A modal dialog. The page behind it is inert while it is open: neither focus nor screen readers reach it. */
export function Dialog({ title, isWide = false, size, onClose, children }: Props) {
  useInertPage()
  const isOnTop = useDialogOrder()
  return (
    <Mantine>
      <Modal
        opened
        // Escape reaches every open dialog, but only the top one should close.
        onClose={() => isOnTop() && onClose()}
        title={title}
        centered
        radius="lg"
        size={size ?? (isWide ? 760 : 420)}
        classNames={{ content: css.surface, header: css.surface, title: css.title }}
      >
        {children}
      </Modal>
    </Mantine>
  )
}

/** The open dialogs, the top one last. */
const order: object[] = []

function useDialogOrder(): () => boolean {
  const [own] = useState(() => ({}))
  useEffect(() => {
    order.push(own)
    return () => void order.splice(order.indexOf(own), 1)
  }, [own])
  return () => order.at(-1) === own
}

/** The number of open dialogs: the palette may open over another one. */
let dialogs = 0

function setInert(change: 1 | -1) {
  dialogs += change
  const page = document.getElementById('root')
  if (page) page.inert = dialogs > 0
}

/**
 * Also returns the focus to where it was: the browser removes it from inert elements. Together with the removal of the
 * dialog, so that a later focus is not moved back.
 */
export function useInertPage() {
  useLayoutEffect(() => {
    const focused = document.activeElement as HTMLElement | null
    setInert(1)
    return () => {
      setInert(-1)
      if (focused?.isConnected) focused.focus({ preventScroll: true })
    }
  }, [])
}
