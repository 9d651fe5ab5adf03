import { ownLibrary } from '@dubplate/contract'
import { IconDots, IconFileImport, IconRefresh, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { count, formatDate, formatExactDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { useApiMutation } from '../platform/useApiMutation.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { KeepFocus } from '../ui/KeepFocus.tsx'
import { Menu, MenuGroup, MenuItem } from '../ui/Menu.tsx'
import { toast } from '../ui/toast.ts'
import css from './DjLibrary.module.css'
import { FORMAT_NAMES } from './formatNames.ts'
import { type Overview, refreshOwned, showOverview } from './libraries.ts'
import { sendingLibraryId } from './libraryImport.ts'
import { ProgressCard } from './ProgressCard.tsx'
import * as texts from './texts.ts'

type Library = ownLibrary.OwnLibrary

type Props = { overview: Overview /** Opens the drop area. */; onImportAgain: () => void }

/** The libraries of the member, and those that the pool still compares. */
export const LibraryCards = ({ overview: { libraries, imports }, onImportAgain }: Props) => (
  <KeepFocus>
    {imports.map((each) => (
      <ImportCard
        key={`import ${each.library_id}`}
        current={each}
        isComparedAgain={libraries.some(({ library_id }) => library_id === each.library_id)}
        onImportAgain={onImportAgain}
      />
    ))}
    {libraries.length > 0 && (
      <ul className={css.libraries} aria-label={texts.yourLibraries}>
        {libraries.map((library) => (
          <LibraryCard key={library.library_id} library={library} onImportAgain={onImportAgain} />
        ))}
      </ul>
    )}
  </KeepFocus>
)

type ImportCardProps = {
  current: ownLibrary.LibraryImport
  /** Deleting it would delete the library, so that it cannot be cancelled. */
  isComparedAgain: boolean
  onImportAgain: () => void
}

function ImportCard({ current, isComparedAgain, onImportAgain }: ImportCardProps) {
  const { library_id, name, state, entries, done } = current
  const removal = useApiMutation(ownLibrary.removeCollection, { errorTitle: texts.couldntCancel })
  const remove = () => void removal.mutateAsync({ library_id }).then(showOverview, () => undefined)
  // This tab shows its own progress.
  if (state === 'receiving' && sendingLibraryId() === library_id) return null
  const cancel = !isComparedAgain && (
    <Button busy={removal.isPending} onClick={remove}>
      {state === 'matching' ? texts.cancelImport : texts.deleteLabel}
    </Button>
  )
  const again = (
    <Button variant="primary" onClick={onImportAgain}>
      {texts.importAgain}
    </Button>
  )
  const [figures, share] = [{ done: count(done), total: count(entries) }, done / entries]
  if (state === 'matching')
    return (
      <ProgressCard
        title={format(texts.matchingLibrary, { name })}
        text={done === 0 ? texts.waitingForWorker : format(texts.matchedFilesOf, figures)}
        progress={done === 0 ? undefined : share}
        actions={cancel}
      />
    )
  return (
    <ProgressCard
      title={format(state === 'failed' ? texts.matchingFailed : texts.importNotFinished, { name })}
      text={state === 'failed' ? texts.matchingFailedText : format(texts.receivedFilesOf, figures)}
      isProblem={state === 'failed'}
      progress={share}
      actions={
        <>
          {again}
          {cancel}
        </>
      }
    />
  )
}

function LibraryCard({ library, onImportAgain }: { library: Library; onImportAgain: () => void }) {
  const { name, entries, matched, to_review, not_found, matched_at } = library
  const [isDeleting, setDeleting] = useState(false)
  const share = (part: number) => `${(100 * part) / Math.max(1, entries)}%`
  return (
    <li className={css.library} aria-label={name}>
      <div className={css.libraryHead}>
        <div>
          <h2 className="ellipsis" title={name}>
            {name}
          </h2>
          <p title={format(texts.comparedOn, { date: formatExactDate(matched_at) })}>{factsOf(library)}</p>
        </div>
        <LibraryMenu library={library} onImportAgain={onImportAgain} onDelete={() => setDeleting(true)} />
      </div>
      <div className={css.bar} aria-hidden>
        <i data-part="matched" style={{ width: share(matched) }} />
        <i data-part="review" style={{ width: share(to_review) }} />
      </div>
      <ul className={`${css.figures} num`}>
        <Figure part="matched">{format(texts.inThePoolCount, { count: count(matched) })}</Figure>
        <Figure part="review">{format(texts.toReviewCount, { count: count(to_review) })}</Figure>
        <Figure part="missing">{format(texts.notInThePoolCount, { count: count(not_found) })}</Figure>
      </ul>
      {isDeleting && <DeleteLibrary library={library} onClose={() => setDeleting(false)} />}
    </li>
  )
}

/** 'Traktor · 12,345 files · Imported 27 Nov 2026'; without the program if that is its name. */
function factsOf({ format: source, name, entries, imported_at }: Library): string {
  const facts = { count: entries, date: formatDate(imported_at) }
  const sourceName = FORMAT_NAMES[source] ?? (source === 'folder' ? texts.folder : texts.playlist)
  return sourceName === name
    ? format(texts.libraryFacts, facts)
    : format(texts.libraryFactsOf, { source: sourceName, ...facts })
}

const Figure = ({ part, children }: { part: string; children: ReactNode }) => <li data-part={part}>{children}</li>

type MenuProps = { library: Library; onImportAgain: () => void; onDelete: () => void }

function LibraryMenu({ library: { library_id, name }, onImportAgain, onDelete }: MenuProps) {
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const { right, bottom } = opener?.getBoundingClientRect() ?? { right: 0, bottom: 0 }
  const comparison = useApiMutation(ownLibrary.matchAgain, { errorTitle: texts.couldntCompare })
  const compare = () => void comparison.mutateAsync({ library_id }).then(showOverview, () => undefined)
  return (
    <>
      <IconButton
        label={format(texts.moreOptionsFor, { name })}
        aria-haspopup="menu"
        aria-expanded={opener !== null}
        onClick={({ currentTarget }) => setOpener(opener ? null : currentTarget)}
      >
        <IconDots size={18} />
      </IconButton>
      {opener && (
        <Menu label={name} at={{ x: right, y: bottom + 4 }} onClose={() => setOpener(null)} returnTo={opener}>
          <MenuGroup title={name}>
            <MenuItem icon={<IconFileImport size={16} />} onSelect={onImportAgain}>
              {texts.importAgain}
            </MenuItem>
            <MenuItem icon={<IconRefresh size={16} />} onSelect={compare}>
              {texts.compareAgain}
            </MenuItem>
            <MenuItem icon={<IconTrash size={16} />} onSelect={onDelete}>
              {texts.deleteLabel}
            </MenuItem>
          </MenuGroup>
        </Menu>
      )}
    </>
  )
}

function DeleteLibrary({ library: { library_id, name, entries }, onClose }: { library: Library; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={format(texts.deleteLibraryQuestion, { name })}
      what={format(texts.deletesMatches, { count: entries })}
      confirmLabel={texts.deleteLabel}
      isDanger
      onConfirm={async () => {
        showOverview(await callApi(ownLibrary.removeCollection, { library_id }))
        refreshOwned()
        void toast({ message: format(texts.libraryDeleted, { name }) })
      }}
      onClose={onClose}
    />
  )
}
