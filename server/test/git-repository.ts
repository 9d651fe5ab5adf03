import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished, vi } from 'vitest'

export const lines = (count: number) => 'line\n'.repeat(count)

/** A repository with one commit, which origin/main names. Deleted after the test. */
export function createRepository() {
  const cwd = mkdtempSync(path.join(tmpdir(), 'dubplate-history-'))
  // A git hook that runs the tests names its own repository in the environment.
  for (const name of Object.keys(process.env).filter((key) => key.startsWith('GIT_'))) vi.stubEnv(name, undefined)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(cwd, { recursive: true, force: true })
  })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@pool.test', '-c', 'commit.gpgsign=false', ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const commit = (subject: string, files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true })
      writeFileSync(path.join(cwd, name), text)
    }
    git('add', '-A')
    git('commit', '-q', '-m', subject)
  }
  git('init', '-q', '-b', 'main')
  commit('Begin', { 'long.txt': lines(4000), 'short.txt': '' })
  git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  return { cwd, git, commit }
}
