@echo off
rem Stops the service and waits until it has put everything down, for 390 seconds at most.
"%~dp0millrace-service.exe" stopwait
