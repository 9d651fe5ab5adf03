import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { ApiError } from './api-error.ts'
import { escapeHtml } from './html.ts'
import { type RenderedMarkdown, renderMarkdownInline } from './markdown-render.ts'
import { projectRoot } from './project-root.ts'

/** Some constructs take time by the square of their length: up to here, at most some ten milliseconds. */
const SHORT_CHARACTERS = 4000
const TIME_LIMIT_MS = 5000
/** Of what is saved from now on, and of what is still shown as more than plain text. */
const MAX_DEPTH = 10
const MAX_SHOWN_DEPTH = 30

/** Markdown as clean HTML. A text that cannot be rendered is shown as it was typed. */
export async function htmlOfMarkdown(markdown: string): Promise<string> {
  const rendered = await tryRender(markdown)
  return rendered && rendered.depth <= MAX_SHOWN_DEPTH ? rendered.html : renderPlainHtml(markdown)
}

/** Refuses `invalid_request` for a text that could not be shown as what it means; `field` is where it was typed. */
export async function checkMarkdown(markdown: string, field: string): Promise<void> {
  const rendered = await tryRender(markdown)
  if (rendered && rendered.depth <= MAX_DEPTH) return
  const sentence = rendered
    ? `Quotes and lists can be nested up to ${MAX_DEPTH} levels deep; this text has ${rendered.depth}.`
    : `This text is too complex to display. Shorten or simplify it; quotes and lists can be nested up to ${MAX_DEPTH} levels deep.`
  throw new ApiError('invalid_request', sentence, { fields: { [field]: sentence } })
}

/** Undefined for a text that is nested too deeply for a stack, or takes too long. */
async function tryRender(markdown: string): Promise<RenderedMarkdown | undefined> {
  if (markdown.length > SHORT_CHARACTERS) return renderInWorker(markdown)
  try {
    return renderMarkdownInline(markdown)
  } catch {
    return undefined
  }
}

const renderPlainHtml = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br />')}</p>`)
    .join('')

let workerThread: Worker | undefined
let last: Promise<unknown> = Promise.resolve()

/** One text after the other, on a thread of their own: the time limit of each begins when the one before is done. */
function renderInWorker(markdown: string): Promise<RenderedMarkdown | undefined> {
  const rendered = last.then(() => renderInThread(markdown))
  last = rendered
  return rendered
}

function renderInThread(markdown: string): Promise<RenderedMarkdown | undefined> {
  workerThread ??= startThread()
  const worker = workerThread
  return new Promise((resolve) => {
    const resolveRender = (rendered?: RenderedMarkdown) => {
      clearTimeout(timer)
      worker.removeAllListeners()
      resolve(rendered)
    }
    const abort = (reason?: unknown) => {
      if (reason instanceof Error) process.emitWarning(`The thread that renders Markdown failed: ${reason.message}`)
      workerThread = undefined
      resolveRender()
      worker.on('error', () => {})
      void worker.terminate()
    }
    const timer = setTimeout(() => abort(), TIME_LIMIT_MS)
    worker.once('message', resolveRender).once('error', abort).once('exit', abort)
    worker.postMessage(markdown)
  })
}

function startThread(): Worker {
  const worker = new Worker(path.join(projectRoot, 'server', 'dist', 'markdown-worker.js'))
  // It keeps no process from ending.
  worker.unref()
  return worker
}
