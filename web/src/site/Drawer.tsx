import { IconMenu2, IconX } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { usePool } from '../platform/pool.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Logo } from './Logo.tsx'
import css from './Navigation.module.css'
import { NavigationLinks, UpgradeLink } from './Navigation.tsx'
import * as texts from './texts.ts'

/** The navigation on a phone: a button and a native modal dialog, which keeps and returns the focus. */
export function Drawer() {
  const dialog = useRef<HTMLDialogElement>(null)
  const { name } = usePool()
  const address = useLocation({ select: ({ href }) => href })
  // Every navigation closes the drawer.
  useEffect(() => dialog.current?.close(), [address])
  const close = () => dialog.current?.close()
  return (
    <>
      <IconButton label={texts.menu} className={css.burger} onClick={() => dialog.current?.showModal()}>
        <IconMenu2 size={21} />
      </IconButton>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the dialog itself closes with Escape */}
      <dialog
        ref={dialog}
        className={css.drawer}
        aria-label={texts.mainMenu}
        onClick={(event) => event.target === dialog.current && close()}
      >
        <div>
          <div className={css.brand}>
            <Logo />
            <span className="ellipsis">{name}</span>
            <IconButton label={texts.closeMenu} onClick={close}>
              <IconX size={19} />
            </IconButton>
          </div>
          <nav className={css.links} aria-label={texts.mainMenu}>
            <NavigationLinks />
            <UpgradeLink />
          </nav>
        </div>
      </dialog>
    </>
  )
}
