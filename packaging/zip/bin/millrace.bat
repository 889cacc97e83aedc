@echo off
rem Runs Millrace: "millrace server", "millrace doctor", "millrace list"; --help shows all.
rem   JAVA_HOME            a JDK 21 or newer, or its JRE
rem   MILLRACE_JAVA_OPTS   further options for Java, such as -Xmx2g
setlocal
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java.exe"
set "OPTIONS=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
if "%~1"=="server" set "OPTIONS=-XX:+ExitOnOutOfMemoryError"
"%JAVA%" %OPTIONS% "-Djdk.serialFilter=!*" %MILLRACE_JAVA_OPTS% -cp "%~dp0..\lib\*" io.millrace.server.Main %*
exit /b %ERRORLEVEL%
