package io.millrace.tests.store;

import io.millrace.fixtures.store.StoreFixture;
import io.millrace.fixtures.store.StoreKind;
import io.millrace.testing.MemoryHooksTest;

/**
 * The tests that see it if a store lacks a hook of a feature, for a process whose classes have that
 * fault.
 */
@SuppressWarnings("JUnitMethodInvoked") // that process runs one test, without JUnit
enum HookCheck {
  ATTACHED {
    @Override
    void run(StoreFixture subject) {
      AttachedWritesContractTest test = new AttachedWritesContractTest(subject);
      test.begin();
      test.anAcceptedTransitionWritesIt();
    }
  },
  DEATH {
    @Override
    void run(StoreFixture subject) {
      ContinuousStoreContractTest test = new ContinuousStoreContractTest(subject);
      test.begin();
      test.beginContinuousWorkflow();
      test.aDeadExecutorLosesAll();
    }
  },
  STOP {
    @Override
    void run(StoreFixture subject) {
      ContinuousStoreContractTest test = new ContinuousStoreContractTest(subject);
      test.begin();
      test.beginContinuousWorkflow();
      test.anExecutorThatStopsHandsOver();
    }
  },
  OWNED_IN_SQL {
    @Override
    void run(StoreFixture subject) {
      new MixedFeaturesTest().whatAStoreWithoutTheFeatureRecoversIsHandedOverLater("h2");
    }
  },
  OWNED_IN_MEMORY {
    @Override
    void run(StoreFixture subject) {
      new MemoryHooksTest().rowsOfAFeatureKeepTheirExecutor();
    }
  },
  REOPENING_LOCK {
    @Override
    void run(StoreFixture subject) throws Exception {
      new ReopeningLockTest().aRetryWaitsForTheFireWithoutHoldingTheInstance("h2");
    }
  },
  REOPENING {
    @Override
    void run(StoreFixture subject) {
      FireEndContractTest test = new FireEndContractTest(subject);
      test.begin();
      test.addTask();
      test.whatIsRetriedAfterAllIsCompletedAgain();
    }
  },
  KEEPING {
    @Override
    void run(StoreFixture subject) {
      FireEndContractTest test = new FireEndContractTest(subject);
      test.begin();
      test.addTask();
      test.retentionLeavesAloneWhatIsNotCompleted();
    }
  },
  DOCTOR {
    @Override
    void run(StoreFixture subject) {
      SqlDoctorTest test = new SqlDoctorTest();
      test.schedulesThatRestAreTold();
      test.close();
    }
  };

  /** Exit code if the test failed by an assertion. */
  static final int SEEN = 3;

  abstract void run(StoreFixture subject) throws Exception;

  /**
   * Runs checks.
   *
   * @param args of each check its name and the kind of the store
   */
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < args.length; i += 2) {
      try (StoreFixture subject = new StoreFixture(StoreKind.valueOf(args[i + 1]))) {
        valueOf(args[i]).run(subject);
      } catch (AssertionError e) {
        e.printStackTrace();
        System.exit(SEEN);
      }
    }
  }
}
