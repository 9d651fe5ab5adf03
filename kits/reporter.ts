import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'

const MAX_DIFFERENCES = 8
/** In characters. */
const MAX_LINE = 400

/** What a test found, as it stores it in its `meta`. */
type Findings = { comparisons?: number; differences?: string[] }

/** Prints a line for each reader and their sum. */
export class KitReporter implements Reporter {
  private comparisons = 0
  private differences = 0

  onInit(vitest: Vitest): void {
    vitest.logger.log('Checking booth kits with other readers.')
  }

  onUserConsoleLog({ content }: { content: string }): void {
    process.stdout.write(content)
  }

  onTestCaseResult(testCase: TestCase): void {
    const result = testCase.result()
    if (result.state === 'skipped') {
      console.log(`${testCase.name}: not checked${result.note ? ` (${result.note})` : ''}`)
      return
    }
    const { comparisons = 0, differences = [] } = testCase.meta() as Findings
    this.comparisons += comparisons
    this.differences += differences.length
    console.log(`${testCase.name}: ${comparisons} comparisons, ${differences.length} differences`)
    for (const line of differences.slice(0, MAX_DIFFERENCES)) console.log(`  ${line.slice(0, MAX_LINE)}`)
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly ErrorText[]): void {
    printErrors(errors)
    for (const module of modules) printErrors(module.errors())
    if (this.comparisons === 0) console.log('Nothing was compared.')
    console.log(`${this.comparisons} comparisons, ${this.differences} differences`)
  }
}

type ErrorText = { message: string; stack?: string | undefined }

const printErrors = (errors: readonly ErrorText[]) => {
  for (const { message, stack } of errors) console.log(stack ?? message)
}
